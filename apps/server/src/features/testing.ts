/** Helpers that several feature tests share: time, looking for writes, and the member's live socket. */
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { TestEnv } from '../testing/test-env.ts';

/** A clock that runs true from wherever it was pushed to. */
export function pushedClock(): Clock & { push(ms: number): void } {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    stop: () => undefined,
    push(ms) {
      offsetMs += ms;
    },
  };
}

/** Lets time pass for the product and the sandbox alike. */
export async function pass(env: TestEnv, clock: { push(ms: number): void }, ms: number): Promise<void> {
  clock.push(ms);
  await env.control('clock', { advanceMs: ms });
}

/** Tables that move by themselves: counted windows, counted calls, settings under test, and what is only passing through. */
const PASSING = [
  'throttle',
  'setting',
  'outbox',
  'socket_io_attachments',
  'error_reference',
  'partner_minute',
];

/** A digest of every row of every table; equal before and after means that nothing was written. */
export async function contents(owner: Pool): Promise<Record<string, string>> {
  const { rows } = await owner.query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1",
    [PASSING],
  );
  const digests = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from "${name}" t`,
  );
  const seen = await owner.query(digests.join(' union all '));
  return Object.fromEntries(seen.rows.map((row) => [row.name, row.digest]));
}

import type { Pool } from 'pg';
import { until } from './test-env.ts';

/**
 * A row for every statement of this database that waits for a lock. The server is shared by all test files, and others
 * wait on it too.
 */
export const LOCKS_AWAITED =
  'select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()';

const HOLD_LOCK = 7_431;

/**
 * A gate before windows of tries are closed, which is what a call does once it has proven a password: every one whose
 * key is like one of these waits there while a `meanwhile` goes on. `atGate` starts a call, does the rest while it
 * waits, and answers what the call answers.
 */
export async function holdAttempts(owner: Pool, likes: readonly string[]) {
  await owner.query(
    `create function gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(${HOLD_LOCK}); return old; end $$`,
  );
  const when = likes.map((like) => `old.key like '${like}'`).join(' or ');
  await owner.query(
    `create trigger gate before delete on throttle for each row when (${when}) execute function gate()`,
  );
  return async <T>(start: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> => {
    const holder = await owner.connect();
    try {
      await holder.query('begin');
      await holder.query('select pg_advisory_xact_lock($1)', [HOLD_LOCK]);
      const going = start();
      let early: T | undefined;
      void going.then((response) => (early = response)).catch(() => {});
      const waiting = `${LOCKS_AWAITED} and l.locktype = 'advisory' and l.objid = ${HOLD_LOCK}`;
      await until(async () => {
        if (early !== undefined) throw new Error(`answered before the gate: ${JSON.stringify(early)}`);
        return (await holder.query(waiting)).rows.length > 0;
      });
      await meanwhile();
      await holder.query('commit');
      return await going;
    } finally {
      holder.release(true);
    }
  };
}

/** How many rows the sweeps of every minute read where there are very many that stay, in space that was used before. */
import { beforeAll, expect, test } from 'vitest';
import { reportedPlans } from '../testing/reported-plans.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const { superuser, wide, start: reportPlans } = await reportedPlans(env);

/** Rows of a table that stay. */
const OTHERS = 20_000;
/** Rows of a table that are due. */
const DUE = 20;
/** Sessions whose browser is subscribed. */
const SUBSCRIBED = 5000;

/** For each table the columns of the rows of a time `at`, and of a number `n` that is unique. */
const ROWS: Record<string, { columns: string; values: string }> = {
  idempotency: {
    columns: 'key, member_id, call, body_hash, state, refused, answer, created_at',
    values: "'k' || n, n, 'transfer', 'x', 'DONE', false, '{}', at",
  },
  throttle: { columns: 'key, count, opened_at, closes_at', values: "'swept:' || n, 1, at, at" },
  error_reference: {
    columns: 'reference, call, code, request_id, created_at',
    values: "'ER-' || n, 'GET /', 'X', 'r', at",
  },
  game_played: {
    columns: 'member_id, slot_code, since, until, turnover, read_at',
    values: "n, 'pg', at, at, 0, at",
  },
  play_offer: { columns: 'id, member_id, amount, expires_at', values: "'O' || n, n, 1, at" },
  notification: {
    columns: 'member_id, kind, subject, created_at',
    values: "n, 'deposit', 'N' || n, at",
  },
  webhook_event: {
    columns: 'id, type, subject, data, created_at, is_pending',
    values: "'evt_' || n, 'x', 's' || n, '{}', at, false",
  },
  webhook_delivery: {
    columns: 'event_number, endpoint_id, subject, type, state, due_at, created_at',
    values: "1000000 + n, 'whswept', 's' || n, 'x', 'DELIVERED', at, at",
  },
};

const insert = (table: string, at: string, first: number): string =>
  `insert into ${table} (${ROWS[table]!.columns}) select ${ROWS[table]!.values}
   from (select n, ${at} as at from generate_series(${first}, ${first + OTHERS - 1}) n) r`;

const countRows = async (table: string): Promise<number> =>
  (await superuser.query(`select count(*)::int as rows from ${table}`)).rows[0].rows;

beforeAll(async () => {
  // Rows without what they refer to.
  await superuser.query('set session_replication_role = replica');
  for (const table of Object.keys(ROWS)) {
    await superuser.query(insert(table, "now() - interval '100 days'", 0));
    await superuser.query(`vacuum analyze ${table}`);
    await superuser.query(
      `delete from ${table} where ctid = any(array(
         select ctid from (select ctid, row_number() over () as number from ${table}) r where number % ${OTHERS / DUE} <> 0))`,
    );
    await superuser.query(`vacuum ${table}`);
    await superuser.query(insert(table, "now() + interval '1 hour'", OTHERS));
    await superuser.query(`vacuum analyze ${table}`);
  }
  await superuser.query(`
    insert into session (token_hash, member_id, created_at, expires_at)
      select sha256(n::text::bytea), n, now(), now() + (case when n > ${DUE} then 1 else -1 end) * interval '1 hour'
      from generate_series(1, ${OTHERS}) n;
    insert into push_subscription (session_hash, member_id, endpoint_sealed, endpoint_fingerprint, keys_sealed, language, created_at)
      select sha256(n::text::bytea), n, 'x', sha256(n::text::bytea), 'x', 'th', now() from generate_series(1, ${SUBSCRIBED}) n`);
  await superuser.query('vacuum analyze');
  await reportPlans();
}, 120_000);

test('a sweep reads the rows that are due, whatever stays in space that was used before', async () => {
  for (const table of Object.keys(ROWS))
    expect([table, await countRows(table)]).toEqual([table, OTHERS + DUE]);
  for (const job of ['housekeeping', 'notifications.forget', 'webhooks.forget']) await env.app.runJob(job);
  expect(Object.fromEntries(wide)).toEqual({});
  for (const table of Object.keys(ROWS)) expect([table, await countRows(table)]).toEqual([table, OTHERS]);
}, 60_000);

test('browsers of sessions whose time is over are forgotten in portions, each by its own session', async () => {
  wide.clear();
  await env.app.runJob('notifications.unsubscribe');
  // A portion has a thousand browsers; all sessions are many more.
  expect([...wide.values()].flat().filter((step) => /Seq Scan session/.test(step))).toEqual([]);
  const sql = 'select min(member_id)::int as first, count(*)::int from push_subscription';
  expect((await superuser.query(sql)).rows).toEqual([{ first: DUE + 1, count: SUBSCRIBED - DUE }]);
});

test('a sweep that fails does not stop those behind it, and its error is reported', async () => {
  await superuser.query('revoke delete on idempotency from krapao_app');
  await superuser.query(insert('game_played', "now() - interval '100 days'", 2 * OTHERS));
  await expect(env.app.runJob('housekeeping')).rejects.toThrow(/permission denied.*idempotency/);
  expect(await countRows('game_played')).toBe(OTHERS);
  await superuser.query('grant delete on idempotency to krapao_app');
});

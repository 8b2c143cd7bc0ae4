/** How many rows the look-ups of operators read where there are very many. */
import { DAY_MS } from '@krapao/contract/durations';
import { beforeAll, expect, test } from 'vitest';
import { insertRecent, LISTED } from '../testing/listed-rows.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { reportedPlans } from '../testing/reported-plans.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { superuser, wide, start: reportPlans } = await reportedPlans(env);
const [mali, som, admin] = await Promise.all(
  ['marketing', 'finance', 'admin'].map((role) => operators.operator(role)),
);

/** Rows in each table. With fewer, reading all of them is at times the best plan. */
const ROWS = 20_000;
/** Lists whose rows the search finds. */
const FOUND = ['members', 'withdrawals', 'deposits', 'slips', 'reports', 'transfers'];
/** Members that a list of coupons names. */
const NAMED = 70;

beforeAll(async () => {
  for (const name of [...FOUND, 'coupons'])
    await superuser.query(insertRecent(LISTED[name]!, ROWS, env.app.deps.secrets));
  await superuser.query(`
    set session_replication_role = replica;
    update slip set amount = 10000 + substr(id, 4)::bigint, currency = 'BAHT';
    insert into error_reference (reference, request_id, call, code, created_at, member_id)
      select 'EL' || n, 'x', 'GET /', 'NO_DATA', now(), 700000000 + n / 100 from generate_series(1, ${ROWS}) n;
    insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address)
      select sha256(n::text::bytea), 'past-' || n, ${som!.id}, at, at, at + interval '12 hours', '192.0.2.1'
      from generate_series(1, ${ROWS}) n, lateral (select now() - interval '60 days' - n * interval '1 hour') t(at);
    update coupon set state = 'CLAIMED', ended_at = created_at where id like 'CPL%5';
    insert into wheel (id, currency, state, version, latest, changed_by, changed_at) overriding system value
      values (700000001, 'BAHT', 'STOPPED', 1, 1, 'test', now());
    insert into wheel_version (wheel_id, version, name, cost_per_spin, made_by, made_at)
      values (700000001, 1, '{"th": "x", "la": "x", "en": "x"}', 1, 'test', now());
    insert into wheel_slice (wheel_id, version, position, code, label, bg_color, text_color, html, weight, prize_id)
      select 700000001, 1, n, 'S' || n, t, '#112233', '#ffffff', t, 1, case n when 0 then 700000001 end
      from generate_series(0, 3) n, (values ('{"th": "x", "la": "x", "en": "x"}'::jsonb)) v(t);
    insert into spin (id, member_id, wheel_id, version, position, cost, weights, entry_id, created_at)
      select 'SPL' || n, 700000000, 700000001, 1, n % 4, 1, '{1,1,1,1}', n, now() from generate_series(1, ${ROWS}) n;
    analyze`);
  await reportPlans();
}, 60_000);

test('the members of a list of coupons are found by indexes, by phone and by id', async () => {
  const members = await superuser.query(
    `select phone, id::text from member where id > 700000000 limit ${NAMED}`,
  );
  for (const column of ['phone', 'id']) {
    const prize = {
      name: { th: 'ก', la: 'ກ', en: 'x' },
      kind: 'CASH',
      value: 50,
      terms: null,
      couponDays: 7,
    };
    const granted = await operators.call(mali!, 'POST', '/api/operator/coupons', {
      prize: { currency: 'BAHT', prize },
      members: members.rows.map((row) => row[column]),
      check: true,
      key: `${column}-of-a-list`,
      reason: 'a list',
    });
    expect(granted).toMatchObject({ status: 200, body: { state: 'CHECKED' } });
  }
  expect(Object.fromEntries(wide)).toEqual({});
});

test('what the search of the console finds of each kind is found by indexes', async () => {
  wide.clear();
  for (const [text, kinds] of [
    ['700000050', ['member', 'withdrawal', 'deposit', 'slip', 'report', 'transfer', 'error']],
    ['150.00', ['withdrawal', 'deposit', 'slip', 'report']],
    ['100.00', ['withdrawal', 'deposit', 'report', 'transfer']],
    ['LISTED77', ['deposit']],
    ['wdl77', ['withdrawal']],
    ['el77', ['error']],
  ] as const) {
    const { body } = await operators.call(som!, 'GET', `/api/operator/find?q=${text}`);
    const found = new Set(body.found.map(({ kind }: { kind: string }) => kind));
    expect([text, [...found].toSorted()]).toEqual([text, kinds.toSorted()]);
  }
  // Part of a name may stand anywhere in it.
  const others = [...wide].filter(([query]) => !query.startsWith("select 'member'"));
  expect(Object.fromEntries(others)).toEqual({});
});

test('signing in and the list of operators read the sessions of late, not those of years', async () => {
  wide.clear();
  const signIn = { name: som!.name, password: 'not the password', code: '000000' };
  expect((await operators.call(null, 'POST', '/api/operator/login', signIn)).status).toBe(401);
  const { body } = await operators.call(admin!, 'GET', '/api/operator/operators');
  const { lastSeenAt, sessions } = body.operators.find(({ name }: { name: string }) => name === som!.name);
  expect([Date.now() - Date.parse(lastSeenAt) < DAY_MS, sessions]).toEqual([true, 1]);
  expect(Object.fromEntries(wide)).toEqual({});
});

test('pages of prizes and wheels read no coupon and no spin of the past', async () => {
  wide.clear();
  const get = async (path: string) => (await operators.call(mali!, 'GET', `/api/operator/${path}`)).body;
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  expect(ids((await get('prizes')).prizes)).toContain('700000001');
  expect(ids((await get('wheels')).wheels)).toContain('700000001');
  expect((await get('wheels/700000001')).slices).toHaveLength(4);
  expect(Object.fromEntries(wide)).toEqual({});
});

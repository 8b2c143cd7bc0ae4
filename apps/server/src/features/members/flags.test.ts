import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';

const env = await startTestEnv();
const operators = operatorHelpers(env);
let support: TestOperator;
const CHROME = 'Mozilla/5.0 (Linux; Android 14) Chrome/131.0.0.0';

beforeAll(async () => {
  support = await operators.operator('support');
});
afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const flags = async (member: TestMember) =>
  (await operators.call(support, 'GET', `/api/operator/members/${member.id}`)).body.flags;
const DAY = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const flag = (kind: string, more: object = {}) => ({ kind, count: null, amount: null, at: DAY, ...more });

async function request(member: TestMember, method: string, path: string, body?: object) {
  const response = await env.call(method, path, body, { token: member.token });
  expect([path, response.status, response.body]).toEqual([path, 200, response.body]);
  return response.body;
}

/** Stakes so much in the game that the member has opened. */
const stake = (member: TestMember, amount: number) =>
  env.control('play', {
    agent: 'betflix',
    username: `kp${member.id}`,
    stake: amount,
    rounds: 1,
    result: 'win',
  });

/** Pays a QR and waits until the wallet has it. */
async function payIn(member: TestMember, amount: number): Promise<void> {
  const { payload } = await request(member, 'POST', '/api/qrcode/KBANK', { amount });
  await env.control('pay-qr', { payload });
  await until(async () => (await env.balance(member)) === BigInt(amount) * 100n);
}

const login = (member: TestMember, address: string, browser: string, daysAgo = 0) =>
  env.owner.query(
    `insert into session (token_hash, member_id, created_at, expires_at, address, user_agent)
     values (gen_random_uuid()::text::bytea, $1, now() - make_interval(days => $4::int), now() + interval '1 day', $2, $3)`,
    [member.id, address, browser, daysAgo],
  );

const refuseSlips = (member: TestMember, count: number, daysAgo = 0) =>
  env.owner.query(
    `insert into slip (id, member_id, reference, image_hash, file, status, created_at, updated_at)
     select 'SL' || $1::bigint || $3::int || '-' || n, $1, 'picture' || $1::bigint || $3::int || '-' || n, '', 'none', 'FAILED', now() - make_interval(days => $3::int), now()
     from generate_series(1, $2::int) n`,
    [String(member.id), count, daysAgo],
  );

/** Where a small withdrawal stands when its call is answered. */
async function withdrawalOf(member: TestMember, amount: number): Promise<string> {
  const { id } = await request(member, 'POST', '/api/wallet/withdraw', { amount });
  const { rows } = await env.pool.query('select status from withdrawal where id = $1', [id]);
  return rows[0].status;
}

test('who pays in, plays and withdraws from a browser of their own has none', async () => {
  const honest = await env.member();
  await payIn(honest, 300);
  await request(honest, 'GET', '/api/wallet/activate/betflix');
  await request(honest, 'POST', '/api/wallet/transfer', { from: 'wallet', to: 'betflix', amount: 300 });
  await stake(honest, 300);
  await request(honest, 'POST', '/api/wallet/transfer', { from: 'betflix', to: 'wallet', amount: 300 });
  expect(await withdrawalOf(honest, 300)).not.toBe('REVIEW');
  await refuseSlips(honest, 2);
  await refuseSlips(honest, 9, 8);
  await login(honest, '203.0.113.1', CHROME);
  // The same address with another browser is a mobile network, and an old login is history.
  await login(await env.member(), '203.0.113.1', `${CHROME} Edg/131`);
  await login(await env.member(), '203.0.113.1', CHROME, 31);
  // Behind a proxy that hides addresses everybody comes from the server itself.
  for (const member of [honest, await env.member()]) await login(member, '127.0.0.1', CHROME);
  expect(await flags(honest)).toEqual([]);
});

test('an exclusion, a cooling-off period and refused slips are shown with their dates', async () => {
  const one = await env.member();
  const { until: end } = (await request(one, 'POST', '/api/limits/break', { length: '7d' })).break;
  await env.owner.query(
    "update bank_account set cool_until = now() + interval '1 day' where member_id = $1",
    [one.id],
  );
  await refuseSlips(one, 3);
  expect(await flags(one)).toEqual([
    flag('EXCLUDED', { at: end }),
    flag('NEW_ACCOUNT'),
    flag('SLIPS_REFUSED', { count: 3 }),
  ]);
  await request(one, 'POST', '/api/limits/break', { length: 'forever' });
  expect((await flags(one))[0]).toEqual(flag('EXCLUDED', { at: null }));
});

test('money that went through a game without a stake is unplayed', async () => {
  const one = await env.member();
  await payIn(one, 300);
  await request(one, 'GET', '/api/wallet/activate/betflix');
  await request(one, 'POST', '/api/wallet/transfer', { from: 'wallet', to: 'betflix', amount: 300 });
  await request(one, 'POST', '/api/wallet/transfer', { from: 'betflix', to: 'wallet', amount: 300 });
  expect(await withdrawalOf(one, 300)).toBe('REVIEW');
  expect(await flags(one)).toEqual([flag('UNPLAYED', { amount: 300 })]);
});

test('a payout that the bank made after the money was given back is told, and what follows waits', async () => {
  const one = await env.member({ amountMinor: 100_000n });
  await request(one, 'POST', '/api/wallet/withdraw', { amount: 100 });
  const { rows } = await env.pool.query(
    "update withdrawal set status = 'FAILED' where member_id = $1 returning id",
    [one.id],
  );
  await env.app.deps.alert('payout-contradicts', `withdrawal:${rows[0].id}`, 'paid after all');
  expect(await flags(one)).toEqual([flag('PAID_TWICE')]);
  expect(await withdrawalOf(one, 100)).toBe('REVIEW');
});

test('money paid in and withdrawn unplayed is told with its amount', async () => {
  const one = await env.member();
  await payIn(one, 500);
  expect(await flags(one)).toEqual([]);
  await request(one, 'POST', '/api/wallet/withdraw', { amount: 450 });
  expect(await flags(one)).toEqual([flag('UNPLAYED', { amount: 450 })]);
});

test('a withdrawal of any amount under a risk flag waits for an operator; an exclusion is no risk flag', async () => {
  await env.set('withdraw.oneOpen', false);
  const [slips, unplayed, shared, other, excluded] = await Promise.all(
    Array.from({ length: 5 }, () => env.member({ amountMinor: 100_000n })),
  );
  await refuseSlips(slips!, 3);
  await request(unplayed!, 'POST', '/api/qrcode/KBANK', { amount: 500 }).then(({ payload }) =>
    env.control('pay-qr', { payload }),
  );
  await until(async () => (await env.balance(unplayed!)) === 150_000n);
  // What stays counts as the part that was not staked: nothing of this one is.
  expect(await withdrawalOf(unplayed!, 450)).not.toBe('REVIEW');
  expect(await withdrawalOf(unplayed!, 900)).toBe('REVIEW');
  for (const member of [shared!, other!]) await login(member, '198.51.100.8', CHROME);
  await request(excluded!, 'POST', '/api/limits/break', { length: '7d' });
  for (const member of [slips!, unplayed!, shared!, other!])
    expect(await withdrawalOf(member, 100)).toBe('REVIEW');
  expect(await withdrawalOf(excluded!, 100)).not.toBe('REVIEW');
});

test('who logged in from the same browser at the same address as others is told how many they are', async () => {
  const [one, other, third] = await Promise.all([env.member(), env.member(), env.member()]);
  for (const member of [one!, other!, other!, third!]) await login(member!, '198.51.100.7', CHROME);
  expect(await flags(one!)).toEqual([flag('SHARED_BROWSER', { count: 2 })]);
});

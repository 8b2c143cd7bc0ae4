import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('deposit.manual', true);
afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const reportPayment = (member: TestMember, amount: unknown, key?: string) =>
  env.call('POST', '/api/wallet/add', { amount }, { token: member.token, ...(key ? { key } : {}) });

test('a report is pending, shows in the statement, and credits nothing', async () => {
  const member = await env.member();
  const { status, body } = await reportPayment(member, 120.5);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      status: 'PENDING',
      amount: 120.5,
      from: 'manual',
      to: 'wallet',
      wallet: { amount: 0 },
    }),
  ]);
  const statement = await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token });
  expect(statement.body.statements).toMatchObject([
    { id: body.id, statementType: 'deposit', status: 'PENDING' },
  ]);
  expect(await env.balance(member)).toBe(0n);
});

test('one is open at a time, of forty at once', async () => {
  const member = await env.member();
  const lookup = async () =>
    (await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token })).body;
  expect((await lookup()).hasReport).toBe(false);
  const responses = await Promise.all(Array.from({ length: 40 }, () => reportPayment(member, 10)));
  expect((await lookup()).hasReport).toBe(true);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.message === 'REQUEST_LIMIT')).toHaveLength(39);
});

test('a repeat under the same key gets the first response; another amount is a conflict', async () => {
  const member = await env.member();
  const [first, second] = [
    await reportPayment(member, 10, 'report-key-1'),
    await reportPayment(member, 10, 'report-key-1'),
  ];
  expect(second.body).toEqual(first.body);
  expect((await reportPayment(member, 11, 'report-key-1')).body.message).toBe('IDEMPOTENCY_CONFLICT');
});

test.each([0, -1, 0.001, '10', null])('refuses %j', async (amount) => {
  expect((await reportPayment(await env.member(), amount)).body.message).toBe('TRANSFER_MINIMUM');
});

test('is not taken where operators do not look for money', async () => {
  await env.set('deposit.manual', false);
  expect((await reportPayment(await env.member(), 10)).body.message).toBe('NO_BANK');
  expect((await env.call('POST', '/api/wallet/add', { amount: 10 })).status).toBe(401);
  await env.set('deposit.manual', true);
});

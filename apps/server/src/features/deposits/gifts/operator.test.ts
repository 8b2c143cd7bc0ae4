import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { holdCall } from '../../../testing/hold.ts';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('unknown.absentGraceSeconds', 0);
const operators = operatorHelpers(env);
const [som, lead, support, auditor] = await Promise.all(
  ['finance', 'finance-lead', 'support', 'auditor'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

/** A redeemed gift whose response was lost, and about which the service has not responded since. */
async function lost(amount = 50): Promise<{ id: string; code: string; member: TestMember }> {
  const member = await env.member();
  const { code, link } = await env.control('vouchers', { amount, phone: '0815550142' });
  await env.fault({ party: 'gift', call: 'redeem', kind: 'cut-after', reference: code, count: 1 });
  const { body } = await env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
  expect(body).toMatchObject({ status: 'PENDING' });
  return { id: body.id, code, member };
}
const perform = (as: TestOperator | null, id: string, what: string, body?: object) =>
  operators.call(as, 'POST', `/api/operator/gifts/${id}/${what}`, body);
const approve = (as: TestOperator, approval: string) =>
  operators.call(as, 'POST', `/api/operator/approvals/${approval}/approve`, {});
const resolve = (id: string) => env.app.runJob('gifts.resolve', { id });
const stateOf = async (id: string) =>
  (await env.owner.query('select state from gift_redemption where id = $1', [id])).rows[0].state;

test('what our wallet has received is credited by two operators, on evidence, and the row records it', async () => {
  const { id, code, member } = await lost();
  const evidence = 'wallet statement, 14:02';
  const { body: list } = await operators.call(auditor!, 'GET', '/api/operator/gifts');
  expect(list.gifts).toMatchObject([{ id, state: 'UNKNOWN', expected: 50, code: `••${code.slice(-4)}` }]);
  expect((await perform(null, id, 'settle', { evidence })).status).toBe(401);
  expect((await perform(support!, id, 'settle', { evidence })).status).toBe(403);
  expect((await perform(som!, id, 'settle', { received: 50 })).status).toBe(400);
  expect((await perform(som!, 'DP0', 'settle', { evidence })).status).toBe(404);
  for (const received of [0, -1, 50.01, 10.005])
    expect((await perform(som!, id, 'settle', { received, evidence })).body.message).toBe('TRANSFER_MINIMUM');
  const requested = await perform(som!, id, 'settle', { received: 48.5, evidence });
  expect(requested).toMatchObject({ status: 200, body: { state: 'UNKNOWN', approval: expect.any(String) } });
  expect((await perform(lead!, id, 'settle', { evidence })).body.message).toBe('APPROVAL_PENDING');
  expect((await approve(som!, requested.body.approval)).status).toBe(403);
  expect(await approve(lead!, requested.body.approval)).toMatchObject({
    status: 200,
    body: { state: 'DONE' },
  });
  expect(await env.balance(member)).toBe(4_850n);
  const page = { page: 1, limit: 10 };
  const { body } = await env.call('POST', '/api/statement', page, { token: member.token });
  expect(body.statements).toMatchObject([{ id, status: 'SUCCESS', from: 'gift', amount: 48.5 }]);
  expect(await operators.audit(`gift:${id}`)).toMatchObject([
    { action: 'approval.request' },
    { action: 'gift.settle', before: { state: 'UNKNOWN' }, after: { state: 'DONE' }, reason: evidence },
  ]);
  await resolve(id);
  expect(await env.balance(member)).toBe(4_850n);
});

test('one that brought nothing ends FAILED, and nothing is credited', async () => {
  const { id, member } = await lost();
  const requested = await perform(som!, id, 'settle', { evidence: 'not in the wallet' });
  expect(await approve(lead!, requested.body.approval)).toMatchObject({
    status: 200,
    body: { state: 'FAILED' },
  });
  expect(await env.balance(member)).toBe(0n);
  expect(await perform(som!, id, 'settle', { evidence: 'once more' })).toMatchObject({
    status: 409,
    body: { message: 'ROW_CHANGED', data: { state: 'FAILED' } },
  });
});

test('the service’s late answer and forty checkers credit it once', async () => {
  const { id, member } = await lost();
  expect(await perform(som!, id, 'ask')).toMatchObject({ status: 200, body: { state: 'UNKNOWN' } });
  const requested = await perform(som!, id, 'settle', { received: 50, evidence: 'wallet statement' });
  const responses = await Promise.all([
    resolve(id),
    ...Array.from({ length: 40 }, () => approve(lead!, requested.body.approval)),
  ]);
  expect(responses.filter((response) => response?.status === 200).length).toBeLessThanOrEqual(1);
  expect([await stateOf(id), await env.balance(member)]).toEqual(['DONE', 5_000n]);
  expect((await perform(som!, id, 'ask')).status).toBe(409);
});

test('one that is settled while the service is queried has no open alert, however late the silence', async () => {
  const { id } = await lost();
  await env.owner.query(
    "update gift_redemption set sent_at = sent_at - interval '20 minutes', tried_at = tried_at - interval '20 minutes' where id = $1",
    [id],
  );
  const look = holdCall(env.app.deps.gift!, 'look');
  const resolving = resolve(id);
  await look.held;
  const requested = await perform(som!, id, 'settle', { received: 50, evidence: 'wallet statement' });
  expect(await approve(lead!, requested.body.approval)).toMatchObject({ body: { state: 'DONE' } });
  look.release({ outcome: 'unknown', note: 'TimeoutError' });
  await resolving;
  const { rows } = await env.pool.query(
    "select 1 from alert where kind = 'gift-unknown' and subject = $1 and closed_at is null",
    [`gift:${id}`],
  );
  expect(rows).toEqual([]);
});

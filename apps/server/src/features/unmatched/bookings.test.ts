/** Money that may already be booked is credited again by two operators only. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { settle, type Transfer } from '../deposits/matching/match.ts';
import { receiveTransfer } from '../deposits/matching/receive.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('deposit.manual', true);
await env.set('withdraw.playedTimes', 0);
const { deps } = env.app;
const operators = operatorHelpers(env);
const slips = slipHelpers(env);
const [som, lead] = await Promise.all(['finance', 'finance-lead'].map((role) => operators.operator(role)));

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const reason = { reason: 'seen in the bank' };
const perform = (pageName: string, id: string, what: string, body: object = {}) =>
  operators.call(som!, 'POST', `/api/operator/${pageName}/${id}/${what}`, body);
const approve = (approval: string) =>
  operators.call(lead!, 'POST', `/api/operator/approvals/${approval}/approve`, {});

/** A transfer from the member's account that no member is known for, as the feed shows it. */
const transferOf = (member: TestMember, amountMinor: bigint, change: Partial<Transfer> = {}): Transfer => ({
  source: 'FEED',
  bankCode: 'KBANK',
  accountNo: '1112223334',
  currency: 'BAHT',
  bankReference: randomBytes(8).toString('hex').toUpperCase(),
  amountMinor,
  payerBank: '004',
  payerAccount: member.accountNo,
  payerName: 'ทดสอบ ระบบ',
  reference1: null,
  paidAt: deps.clock.now(),
  ...change,
});

/** Books the transfer as unmatched and takes it; returns its id. */
async function unmatched(transfer: Transfer): Promise<string> {
  expect(await settle(deps, transfer, { likely: [], reason: 'NO_MEMBER' })).toEqual({ booked: 'unmatched' });
  const { rows } = await env.owner.query('select id from bank_transaction where bank_reference = $1', [
    transfer.bankReference,
  ]);
  const id = String(rows[0].id);
  await perform('unmatched', id, 'claim');
  return id;
}

const bookingsOf = async (id: string, member: TestMember) =>
  (await operators.call(som!, 'GET', `/api/operator/unmatched/${id}/bookings?member=${member.id}`)).body
    .bookings;
const assign = (id: string, member: TestMember) =>
  perform('unmatched', id, 'assign', { member: member.phone, ...reason });
const summaryOf = async (approval: string) =>
  (await env.owner.query('select summary from approval where id = $1', [approval])).rows[0].summary;

async function report(member: TestMember, amount: number): Promise<string> {
  const { body } = await env.call('POST', '/api/wallet/add', { amount }, { token: member.token });
  await perform('reports', body.id, 'claim');
  return body.id;
}

/** A withdrawal that was paid, and whose return was booked by its proof. */
async function returned(amount: number): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  await env.app.runJob('withdrawals.pay');
  await env.control('payout', { reference: body.id, state: 'PAID' });
  await env.app.runJob('withdrawals.ask', { id: body.id });
  const requested = await perform('withdrawals', body.id, 'return', { proof: 'KBANK R-1', ...reason });
  expect((await approve(requested.body.approval)).status).toBe(200);
  return { id: body.id, member };
}

describe('double credit: an unmatched transaction is assigned by two operators', () => {
  test('when a report of its amount was credited manually', async () => {
    const member = await env.member();
    const transaction = await unmatched(transferOf(member, 61_000n));
    const id = await report(member, 610);
    expect((await perform('reports', id, 'credit', reason)).body).toEqual({
      state: 'SUCCESS',
      approval: null,
    });
    expect(await bookingsOf(transaction, member)).toMatchObject([{ kind: 'report', id }]);
    const { body } = await assign(transaction, member);
    expect(body).toEqual({ state: 'UNMATCHED', approval: expect.any(String) });
    expect(await summaryOf(body.approval)).toMatchObject({ amount: 610, credited: id });
    expect(await env.balance(member)).toBe(61_000n);
    // It is other money, as the second operator has found.
    expect(await approve(body.approval)).toMatchObject({ status: 200, body: { state: 'CREDITED' } });
    expect(await env.balance(member)).toBe(122_000n);
  });

  test('when the return of a payout of its amount was booked without a bank transaction', async () => {
    const { id, member } = await returned(620);
    const paidAt = new Date(deps.clock.now().getTime() - 1000);
    const transaction = await unmatched(transferOf(member, 62_000n, { paidAt }));
    expect(await bookingsOf(transaction, member)).toMatchObject([{ kind: 'return', id }]);
    expect((await assign(transaction, member)).body).toMatchObject({ approval: expect.any(String) });
    expect(await env.balance(member)).toBe(62_000n);
  });

  test('when a deposit of its amount has the same visible digits and other evidence', async () => {
    const member = await env.member();
    const slip = await slips.make(member, { amount: '630.00' });
    expect((await slips.upload(member, slip.bytes)).body.status).toBe('SUCCESS');
    const paidAt = new Date(deps.clock.now().getTime() - 600_000);
    const transaction = await unmatched(transferOf(member, 63_000n, { paidAt }));
    expect(await bookingsOf(transaction, member)).toMatchObject([{ kind: 'deposit' }]);
    expect((await assign(transaction, member)).body).toMatchObject({ approval: expect.any(String) });
    expect(await env.balance(member)).toBe(63_000n);
  });

  test('and its request is not carried out when its money was booked in another way since', async () => {
    const { member } = await returned(640);
    const transaction = await unmatched(transferOf(member, 64_000n));
    const { body } = await assign(transaction, member);
    const id = await report(member, 640);
    const credited = await perform('reports', id, 'credit', reason);
    expect(credited.body.state).toBe('SUCCESS');
    expect(await approve(body.approval)).toMatchObject({ status: 409, body: { message: 'ROW_CHANGED' } });
    expect(await env.balance(member)).toBe(128_000n);
  });

  test('and not by one of two operators who credit it and its report at the same time', async () => {
    const member = await env.member();
    const transaction = await unmatched(transferOf(member, 65_000n));
    const id = await report(member, 650);
    const both = await Promise.all([assign(transaction, member), perform('reports', id, 'credit', reason)]);
    const alone = both.filter(({ status, body }) => status === 200 && body.approval === null);
    expect(alone).toHaveLength(1);
    expect(await env.balance(member)).toBe(65_000n);
  });
});

test('a second transfer that the same source shows is another payment, and assigned by one operator', async () => {
  const member = await env.member();
  expect(await receiveTransfer(deps, transferOf(member, 66_000n))).toEqual({ booked: 'credited' });
  const paidAt = new Date(deps.clock.now().getTime() - 600_000);
  const transaction = await unmatched(transferOf(member, 66_000n, { paidAt }));
  expect(await bookingsOf(transaction, member)).toEqual([]);
  expect((await assign(transaction, member)).body).toEqual({ state: 'CREDITED', approval: null });
  expect(await env.balance(member)).toBe(132_000n);
});

test('double credit: a report is credited from a transaction that may be a returned payout by two operators', async () => {
  const { id, member } = await returned(670);
  const transaction = await unmatched(transferOf(member, 67_000n));
  const reported = await report(member, 670);
  const { body: list } = await operators.call(som!, 'GET', `/api/operator/reports?q=${reported}`);
  expect(list.reports[0].transactions).toMatchObject([
    { id: transaction, bookings: [{ kind: 'return', id }] },
  ]);
  const { body } = await perform('reports', reported, 'credit', { ...reason, transaction });
  expect(body).toEqual({ state: 'PENDING', approval: expect.any(String) });
  expect(await summaryOf(body.approval)).toMatchObject({ credited: id, line: expect.any(String) });
  expect(await env.balance(member)).toBe(67_000n);
  expect(await approve(body.approval)).toMatchObject({ status: 200, body: { state: 'SUCCESS' } });
  expect(await env.balance(member)).toBe(134_000n);
});

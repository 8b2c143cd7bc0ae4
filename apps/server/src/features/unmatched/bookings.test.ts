/** Money that may already be booked is credited again by two operators only, or tied to its booking. */
import { DAY_MS } from '@krapao/contract/durations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { settle, type Transfer } from '../deposits/matching/match.ts';
import { receiveTransfer } from '../deposits/matching/receive.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { listManual } from '../reconciliation/queries.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { NO_OWNER, transferHelpers } from './testing-transfers.ts';

const env = await startTestEnv({ jobs: false });
await env.set('deposit.manual', true);
await env.set('withdraw.playedTimes', 0);
const { deps } = env.app;
const operators = operatorHelpers(env);
const slips = slipHelpers(env);
const transfers = transferHelpers(env);
const { transferOf, transactionOf } = transfers;
const [som, lead] = await Promise.all(['finance', 'finance-lead'].map((role) => operators.operator(role)));

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const reason = { reason: 'seen in the bank' };
const perform = (pageName: string, id: string, what: string, body: object = {}) =>
  operators.call(som!, 'POST', `/api/operator/${pageName}/${id}/${what}`, body);
const approve = (approval: string) =>
  operators.call(lead!, 'POST', `/api/operator/approvals/${approval}/approve`, {});

/** Books the transfer as unmatched and takes it; returns its id. */
async function unmatched(transfer: Transfer): Promise<string> {
  expect(await settle(deps, transfer, NO_OWNER)).toEqual({ booked: 'unmatched' });
  const id = String((await transactionOf(transfer.bankReference)).id);
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

/** A payment report, taken by the operator. */
async function report(member: TestMember, amount: number): Promise<string> {
  const id = await transfers.report(member, amount);
  await perform('reports', id, 'claim');
  return id;
}

/** A withdrawal that was paid. */
async function paid(amount: number): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  await env.app.runJob('withdrawals.pay');
  await env.control('payout', { reference: body.id, state: 'PAID' });
  await env.app.runJob('withdrawals.ask', { id: body.id });
  return { id: body.id, member };
}

/** Books the return of a payout; with the bank transaction that brought it, or by proof alone. */
async function bookReturn(id: string, transaction?: string): Promise<void> {
  const body = { proof: 'KBANK R-1', ...reason, ...(transaction && { transaction }) };
  const requested = await perform('withdrawals', id, 'return', body);
  const end = requested.body.approval ? await approve(requested.body.approval) : requested;
  expect(end.status).toBe(200);
}

/** A withdrawal that was paid, and whose return was booked by its proof. */
async function returned(amount: number): Promise<{ id: string; member: TestMember }> {
  const withdrawal = await paid(amount);
  await bookReturn(withdrawal.id);
  return withdrawal;
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

  test('and goes to the member that the second operator approved, whose id is the phone of another', async () => {
    const { member } = await returned(670);
    const transaction = await unmatched(transferOf(member, 67_000n));
    const { body } = await assign(transaction, member);
    const other = await env.member();
    await env.owner.query('update member set phone = $2 where id = $1', [other.id, String(member.id)]);
    // The row that was written last is the last that a scan finds.
    await env.owner.query('update member set last_sync = null where id = $1', [member.id]);
    expect((await approve(body.approval)).body).toMatchObject({ state: 'CREDITED' });
    expect([await env.balance(member), await env.balance(other)]).toEqual([134_000n, 0n]);
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

type SystemAccountKind = Parameters<typeof deps.systemAccount>[0];
/** What a system account of ours holds; received money is negative. */
async function held(kind: SystemAccountKind): Promise<bigint> {
  const account = await deps.systemAccount(kind, 'BAHT');
  const { rows } = await env.owner.query('select balance from ledger_account where id = $1', [account]);
  return BigInt(rows[0].balance);
}
const heldOf = (...kinds: SystemAccountKind[]) => Promise.all(kinds.map(held));
const tie = (id: string, kind: string, booking: string, as = som!) =>
  operators.call(as, 'POST', `/api/operator/unmatched/${id}/tie`, { kind, booking, ...reason });
const rowOf = async (id: string) =>
  (await env.owner.query('select state from bank_transaction where id = $1', [id])).rows[0];

/** A report that was credited manually, and an unmatched transaction of its amount. */
async function reported(amount: number) {
  const member = await env.member();
  const transaction = await unmatched(transferOf(member, BigInt(amount) * 100n));
  const id = await report(member, amount);
  expect((await perform('reports', id, 'credit', reason)).body.state).toBe('SUCCESS');
  return { member, transaction, id };
}

describe('money booked twice: an unmatched transaction is tied to the booking that has its money', () => {
  test('a report credited manually, which takes the manual entry back and leaves the wallet', async () => {
    const before = await heldOf('manual', 'unmatched', 'bank:KBANK');
    const { member, transaction, id } = await reported(710);
    const { body } = await tie(transaction, 'report', id);
    expect(body).toEqual({ state: 'UNMATCHED', approval: expect.any(String) });
    expect(await summaryOf(body.approval)).toMatchObject({
      amount: 710,
      report: id,
      member: String(member.id),
    });
    expect(await approve(body.approval)).toMatchObject({ status: 200, body: { state: 'CREDITED' } });
    expect(await rowOf(transaction)).toEqual({ state: 'CREDITED' });
    expect(await env.balance(member)).toBe(71_000n);
    const [manual, open, bank] = await heldOf('manual', 'unmatched', 'bank:KBANK');
    expect([manual, open, bank]).toEqual([before[0], before[1], before[2]! - 71_000n]);
    const again = await unmatched(transferOf(member, 71_000n));
    expect(await bookingsOf(again, member)).toEqual([]);
    expect((await operators.audit(`unmatched:${transaction}`)).at(-1)).toMatchObject({
      action: 'unmatched.tie',
      after: { state: 'CREDITED', report: id },
    });
  });

  test('a returned payout, whose money is then at the bank once', async () => {
    const { id, member } = await returned(720);
    const paidFrom = await heldOf('bank:KBANK', 'unmatched');
    const paidAt = new Date(deps.clock.now().getTime() - 1000);
    const transaction = await unmatched(transferOf(member, 72_000n, { paidAt }));
    const { body } = await tie(transaction, 'return', id);
    expect(await summaryOf(body.approval)).toMatchObject({ withdrawal: id });
    expect((await approve(body.approval)).body).toMatchObject({ state: 'CREDITED' });
    expect(await heldOf('bank:KBANK', 'unmatched')).toEqual(paidFrom);
    expect(await env.balance(member)).toBe(72_000n);
    const { rows } = await env.owner.query(
      'select bank_transaction_id from payout_return where withdrawal_id = $1',
      [id],
    );
    expect(String(rows[0].bank_transaction_id)).toBe(transaction);
    const list = await operators.call(som!, 'GET', '/api/operator/unmatched?state=CREDITED&limit=100');
    expect(list.body.transactions.map((row: { id: string }) => row.id)).toContain(transaction);
  });

  test('only to one that it may be: not to a deposit, another amount, or what does not exist', async () => {
    const { transaction } = await reported(730);
    const other = await reported(740);
    for (const [kind, booking] of [
      ['report', other.id],
      ['return', other.id],
      ['report', 'RP0'],
      ['return', 'WD0'],
    ] as const) {
      const { body } = await tie(transaction, kind, booking);
      expect([kind, booking, body.message]).toEqual([kind, booking, 'ROW_CHANGED']);
    }
    expect((await tie(transaction, 'deposit', 'DP0')).status).toBe(400);
    expect(await rowOf(transaction)).toEqual({ state: 'UNMATCHED' });
  });

  test('and not by a request whose booking has the money of another transaction since', async () => {
    const { member, transaction, id } = await reported(800);
    const paidAt = new Date(deps.clock.now().getTime() - 600_000);
    const second = await unmatched(transferOf(member, 80_000n, { paidAt }));
    const [one, other] = [await tie(transaction, 'report', id), await tie(second, 'report', id)];
    expect((await approve(one.body.approval)).status).toBe(200);
    expect((await approve(other.body.approval)).body.message).toBe('ROW_CHANGED');
    expect([await rowOf(transaction), await rowOf(second)]).toEqual([
      { state: 'CREDITED' },
      { state: 'UNMATCHED' },
    ]);
  });

  describe('by one operator, where none checks', () => {
    beforeAll(() => env.set('desk.makerChecker', false));
    afterAll(() => env.set('desk.makerChecker', true));

    test('race: one of two transactions becomes the money of a report', async () => {
      const { member, transaction, id } = await reported(750);
      const paidAt = new Date(deps.clock.now().getTime() - 600_000);
      const second = await unmatched(transferOf(member, 75_000n, { paidAt }));
      const before = await heldOf('manual', 'unmatched');
      const both = await Promise.all([tie(transaction, 'report', id), tie(second, 'report', id)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await heldOf('manual', 'unmatched')).toEqual([before[0]! + 75_000n, before[1]! - 75_000n]);
      expect(await env.balance(member)).toBe(75_000n);
    });

    test('race: one of two transactions becomes the money of a returned payout', async () => {
      const { id, member } = await returned(760);
      const at = (ms: number) => ({ paidAt: new Date(deps.clock.now().getTime() - ms) });
      const first = await unmatched(transferOf(member, 76_000n, at(500)));
      const second = await unmatched(transferOf(member, 76_000n, at(600)));
      const both = await Promise.all([tie(first, 'return', id), tie(second, 'return', id)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await env.balance(member)).toBe(76_000n);
    });

    test('race: a transaction is tied or sent back, not both', async () => {
      const { transaction, id } = await reported(770);
      const before = await held('unmatched');
      const both = await Promise.all([
        tie(transaction, 'report', id),
        perform('unmatched', transaction, 'return', { proof: 'KBANK 9', ...reason }),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await held('unmatched')).toBe(before - 77_000n);
      expect((await tie(transaction, 'report', id)).body.message).toBe('ROW_CHANGED');
    });
  });

  test('not while a request to send it back waits', async () => {
    const { transaction, id } = await reported(780);
    const back = await perform('unmatched', transaction, 'return', { proof: 'KBANK 9', ...reason });
    await perform('unmatched', transaction, 'claim');
    const { body } = await tie(transaction, 'report', id);
    expect((await approve(body.approval)).body.message).toBe('APPROVAL_PENDING');
    await perform('unmatched', transaction, 'claim');
    await env.set('desk.makerChecker', false);
    expect((await tie(transaction, 'report', id)).body.message).toBe('APPROVAL_PENDING');
    await env.set('desk.makerChecker', true);
    expect((await approve(back.body.approval)).status).toBe(200);
    expect(await rowOf(transaction)).toEqual({ state: 'RETURNED' });
  });

  test('a returned payout is not missing at the bank when its line has the transaction', async () => {
    const { id, member } = await returned(790);
    const transaction = await unmatched(transferOf(member, 79_000n));
    const { body } = await tie(transaction, 'return', id);
    expect((await approve(body.approval)).status).toBe(200);
    const span = { from: new Date(Date.now() - 2 * DAY_MS), to: new Date(Date.now() + DAY_MS) };
    const bank = { bankCode: 'KBANK', currency: 'BAHT' as const, payoutBank: 'KBANK' };
    const rows = await listManual(env.pool, bank, span);
    expect(rows.filter((row) => row.subject === `withdrawal:${id}`)).toEqual([]);
  });
});

describe('untrue status: a slip under review ends as a duplicate when its transaction is', () => {
  /** A slip under review of a member, and its unmatched transaction. */
  async function reviewed(amount: number) {
    const member = await env.member();
    const slip = await slips.make(member, { amount: `${amount}.00` });
    await env.fault({ party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 1 });
    expect((await slips.upload(member, slip.bytes)).body.status).toBe('REVIEW');
    const transfer = transferOf(member, BigInt(amount) * 100n, { bankReference: slip.transRef });
    return { member, transaction: await unmatched(transfer) };
  }
  const slipsOf = async (member: TestMember) =>
    (await env.call('POST', '/api/statement/slip', { page: 1, limit: 10 }, { token: member.token })).body
      .slips;
  const DUPLICATE = [{ status: 'FAILED', note: 'DUPLICATE_REFERENCE' }];

  test('tied to a report credited before', async () => {
    const { member, transaction } = await reviewed(810);
    const id = await report(member, 810);
    expect((await perform('reports', id, 'credit', reason)).body.state).toBe('SUCCESS');
    await approve((await tie(transaction, 'report', id)).body.approval);
    expect(await slipsOf(member)).toMatchObject(DUPLICATE);
    expect(await env.balance(member)).toBe(81_000n);
  });

  test('booked as a returned payout', async () => {
    const { id } = await paid(820);
    const { member, transaction } = await reviewed(820);
    await bookReturn(id, transaction);
    expect(await slipsOf(member)).toMatchObject(DUPLICATE);
    expect(await env.balance(member)).toBe(0n);
  });
});

import { MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { receiveTransfer } from '../deposits/matching/receive.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
await env.control('settings', { payoutMode: 'manual' });
const operators = operatorHelpers(env);
const [som, lead, second, support] = await Promise.all(
  ['finance', 'finance-lead', 'finance-lead', 'support'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const perform = (as: TestOperator | null, id: string, what: string, body: object) =>
  operators.call(as, 'POST', `/api/operator/withdrawals/${id}/${what}`, body);
const approve = (as: TestOperator, approval: string) =>
  operators.call(as, 'POST', `/api/operator/approvals/${approval}/approve`, {});
const detail = async (id: string) =>
  (await operators.call(som!, 'GET', `/api/operator/withdrawals/${id}`)).body;
const statementOf = async (member: TestMember) =>
  (await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token })).body.statements;

/** A withdrawal with a payout order, and its outcome at the bank. */
async function sent(end: 'PAID' | 'REJECTED', amount = 500): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  await env.app.runJob('withdrawals.pay');
  await env.control('payout', { reference: body.id, state: end });
  await env.app.runJob('withdrawals.ask', { id: body.id });
  return { id: body.id, member };
}

describe('a payout that the bank sent back', () => {
  const BACK = { proof: 'KBANK R-778', reason: 'the account is closed' };

  test('is returned by a new row, by two operators, with proof; the first row stays', async () => {
    const { id, member } = await sent('PAID');
    const before = await statementOf(member);
    expect((await perform(null, id, 'return', BACK)).status).toBe(401);
    expect((await perform(support!, id, 'return', BACK)).status).toBe(403);
    expect((await perform(som!, id, 'return', { reason: 'no proof' })).status).toBe(400);
    expect((await perform(som!, 'WD0', 'return', BACK)).status).toBe(404);
    const requested = await perform(som!, id, 'return', BACK);
    expect(requested).toMatchObject({
      status: 200,
      body: { state: 'SUCCESS', approval: expect.any(String) },
    });
    expect((await approve(som!, requested.body.approval)).status).toBe(403);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, at) => approve(at % 2 ? lead! : second!, requested.body.approval)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await env.balance(member)).toBe(50_000n);
    expect(await statementOf(member)).toEqual([
      expect.objectContaining({
        statementType: 'deposit',
        status: 'SUCCESS',
        from: 'manual',
        to: 'wallet',
        amount: 500,
      }),
      ...before,
    ]);
    expect(before[0]).toMatchObject({ statementType: 'withdraw', status: 'SUCCESS' });
    expect(await detail(id)).toMatchObject({ status: 'SUCCESS', returnedAt: expect.any(String) });
    expect((await operators.audit(`withdrawal:${id}`)).at(-1)).toMatchObject({
      action: 'withdrawal.return',
      after: { state: 'RETURNED', proof: BACK.proof },
      reason: BACK.reason,
    });
    expect(await perform(som!, id, 'return', BACK)).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED', data: { state: 'RETURNED' } },
    });
  });

  /** The bank's feed shows money from the member's own account, as it also shows a payout that came back. */
  const fed = (member: TestMember, bankReference: string, paidAt: Date) =>
    receiveTransfer(env.app.deps, {
      source: 'FEED',
      bankCode: 'SCB',
      accountNo: null,
      currency: 'BAHT',
      bankReference,
      amountMinor: 50_000n,
      payerBank: '004',
      payerAccount: member.accountNo,
      payerName: 'ทดสอบ ระบบ',
      reference1: null,
      paidAt,
    });

  test('credited twice: the feed line that comes after the return waits for an operator', async () => {
    const { id, member } = await sent('PAID');
    const cameBack = env.app.deps.clock.now();
    const requested = await perform(som!, id, 'return', BACK);
    expect((await approve(lead!, requested.body.approval)).status).toBe(200);
    expect(await fed(member, `BACK-${id}`, cameBack)).toEqual({ booked: 'unclear' });
    expect(await env.balance(member)).toBe(50_000n);
    const later = new Date(cameBack.getTime() + 10 * MINUTE_MS);
    expect(await fed(member, `NEW-${id}`, later)).toEqual({ booked: 'credited' });
    expect(await env.balance(member)).toBe(100_000n);
  });

  test('credited twice: one that the feed has credited before needs a second person, who sees the credit', async () => {
    const { id, member } = await sent('PAID');
    const asked = await perform(som!, id, 'return', BACK);
    expect(await fed(member, `BACK-${id}`, env.app.deps.clock.now())).toEqual({ booked: 'credited' });
    expect(await approve(lead!, asked.body.approval)).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED' },
    });
    expect(await env.balance(member)).toBe(50_000n);
    await operators.call(som!, 'POST', `/api/operator/approvals/${asked.body.approval}/withdraw`, {});
    await env.set('desk.makerChecker', false);
    const { body } = await perform(som!, id, 'return', BACK);
    await env.set('desk.makerChecker', true);
    const { rows } = await env.pool.query('select summary from approval where id = $1', [body.approval]);
    const { rows: deposits } = await env.pool.query('select id from deposit where member_id = $1', [
      member.id,
    ]);
    expect(rows[0].summary).toMatchObject({ credited: deposits[0].id });
    // The deposit is other money, as the second person has found.
    expect((await approve(lead!, body.approval)).status).toBe(200);
    expect(await env.balance(member)).toBe(100_000n);
  });

  test('is none while it is not paid', async () => {
    const { id } = await sent('REJECTED');
    expect(await perform(som!, id, 'return', BACK)).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED', data: { state: 'FAILED' } },
    });
  });

  /** A paid withdrawal, and a payment of its amount without an owner. */
  async function withStray(amount: number) {
    const { id, member } = await sent('PAID', amount);
    const payer = await env.member();
    const { body } = await env.call('POST', '/api/qrcode/KBANK', { amount }, { token: payer.token });
    await env.call('DELETE', '/api/qrcode/KBANK', undefined, { token: payer.token });
    await env.control('pay-qr', { payload: body.payload });
    const [transaction] = await until(async () => {
      const { returnCandidates } = await detail(id);
      return returnCandidates.length > 0 && returnCandidates;
    });
    return { id, member, transaction };
  }

  test('that the feed has brought as a transaction is that transaction: the bank is not booked twice', async () => {
    const { id, member, transaction } = await withStray(612);
    expect(await perform(som!, id, 'return', { ...BACK, transaction: '999999' })).toMatchObject({
      status: 409,
    });
    const requested = await perform(som!, id, 'return', { ...BACK, transaction: transaction.id });
    // A payload that the request hides: whose money is booked is the transaction's, which only its maker has chosen.
    const { rows } = await env.pool.query('select summary from approval where id = $1', [
      requested.body.approval,
    ]);
    expect(rows[0].summary).toMatchObject({ line: `${transaction.bankCode} ${transaction.bankReference}` });
    const use = (as: TestOperator, body: object) =>
      operators.call(as, 'POST', `/api/operator/unmatched/${transaction.id}/assign`, body);
    await operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/claim`);
    const other = await env.member();
    const race = await Promise.all([
      approve(lead!, requested.body.approval),
      use(som!, { member: other.phone, reason: 'their money' }),
    ]);
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await env.balance(member), await env.balance(other)].toSorted()).toEqual([0n, 61_200n]);
  });

  test('credited twice: nor is it returned without the transaction that an operator has assigned to the member', async () => {
    const { id, member, transaction } = await withStray(614);
    const asked = await perform(som!, id, 'return', BACK);
    await operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/claim`);
    const path = `/api/operator/unmatched/${transaction.id}/assign`;
    const assigned = await operators.call(som!, 'POST', path, { member: member.phone, reason: 'came back' });
    expect(assigned.status).toBe(200);
    expect(await approve(lead!, asked.body.approval)).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED' },
    });
    expect(await env.balance(member)).toBe(61_400n);
  });

  test('is not a transaction that an operator requested to send back: its money may have left', async () => {
    const { id, member, transaction } = await withStray(613);
    const stray = `/api/operator/unmatched/${transaction.id}`;
    await operators.call(som!, 'POST', `${stray}/claim`);
    const sentBack = await operators.call(som!, 'POST', `${stray}/return`, {
      proof: 'KBANK 7',
      reason: 'odd',
    });
    expect(sentBack.body).toMatchObject({ approval: expect.any(String) });
    const requested = await perform(som!, id, 'return', { ...BACK, transaction: transaction.id });
    expect(await approve(lead!, requested.body.approval)).toMatchObject({
      status: 409,
      body: { message: 'APPROVAL_PENDING' },
    });
    expect(await env.balance(member)).toBe(0n);
    expect((await approve(lead!, sentBack.body.approval)).status).toBe(200);
  });

  test('double payment: is not a transaction that another operator has taken, who may be sending it back', async () => {
    const { id, member, transaction } = await withStray(615);
    const requested = await perform(som!, id, 'return', { ...BACK, transaction: transaction.id });
    const stray = `/api/operator/unmatched/${transaction.id}`;
    await operators.call(second!, 'POST', `${stray}/claim`);
    expect(await approve(lead!, requested.body.approval)).toMatchObject({
      status: 409,
      body: { message: 'CLAIMED' },
    });
    expect(await env.balance(member)).toBe(0n);
    await operators.call(second!, 'POST', `${stray}/release`);
    await operators.call(som!, 'POST', `${stray}/claim`);
    expect((await approve(lead!, requested.body.approval)).status).toBe(200);
    expect(await env.balance(member)).toBe(61_500n);
  });
});

describe('a payout that the bank refused', () => {
  const seen = { status: 'FAILED' };

  test('is sent once more by forty at once as one withdrawal of its own, and paid', async () => {
    const { id, member } = await sent('REJECTED');
    expect(await env.balance(member)).toBe(50_000n);
    expect((await perform(null, id, 'retry', seen)).status).toBe(401);
    expect((await perform(support!, id, 'retry', seen)).status).toBe(403);
    const responses = await Promise.all(Array.from({ length: 40 }, () => perform(som!, id, 'retry', seen)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await env.balance(member)).toBe(0n);
    const { retriedBy } = await detail(id);
    await env.app.runJob('withdrawals.pay');
    await env.control('payout', { reference: retriedBy, state: 'PAID' });
    await env.app.runJob('withdrawals.ask', { id: retriedBy });
    expect(await detail(retriedBy)).toMatchObject({ status: 'SUCCESS', retryOf: id, amount: 500 });
    expect(await detail(id)).toMatchObject({ status: 'FAILED' });
    const { payouts } = await env.control('books');
    const paid = payouts.filter(
      (one: { accountNo: string; state: string }) =>
        one.accountNo === member.accountNo && one.state === 'PAID',
    );
    expect(paid).toHaveLength(1);
  });

  test('is not sent until the bank states that nothing was paid', async () => {
    const { id, member } = await sent('REJECTED');
    await env.fault({ party: 'bank-a', call: 'payout-status', kind: 'malformed', reference: id, count: 1 });
    expect(await perform(som!, id, 'retry', seen)).toMatchObject({
      status: 409,
      body: { message: 'PAYOUT_UNSURE', data: { state: 'UNKNOWN' } },
    });
    expect(await env.balance(member)).toBe(50_000n);
    expect((await perform(som!, id, 'retry', seen)).status).toBe(200);
  });

  test('that the bank has paid after all is not sent, and alerts operators', async () => {
    const member = await env.member({ amountMinor: 50_000n });
    const response = await env.call('POST', '/api/wallet/withdraw', { amount: 500 }, { token: member.token });
    const id: string = response.body.id;
    await env.fault({ party: 'bank-a', call: 'payout', kind: 'refuse', reference: id, count: 1 });
    await env.app.runJob('withdrawals.pay');
    expect(await detail(id)).toMatchObject({ status: 'FAILED', payout: { state: 'REJECTED' } });
    // The bank does what it had refused.
    const order = { reference: id, amountMinor: 50_000n, bankCode: 'KBANK', accountName: 'ทดสอบ ระบบ' };
    await env.app.deps.payoutBank.payout({ ...order, accountNo: member.accountNo });
    await env.control('payout', { reference: id, state: 'PAID' });
    expect(await perform(som!, id, 'retry', seen)).toMatchObject({
      status: 409,
      body: { message: 'PAYOUT_UNSURE', data: { state: 'PAID' } },
    });
    const { rows } = await env.pool.query('select kind from alert where subject = $1', [`withdrawal:${id}`]);
    expect(rows).toEqual([{ kind: 'payout-contradicts' }]);
    expect(await env.balance(member)).toBe(50_000n);
  });

  test('is not sent with money the member has spent meanwhile', async () => {
    const { id, member } = await sent('REJECTED');
    await env.call('POST', '/api/wallet/withdraw', { amount: 300 }, { token: member.token });
    expect(await perform(som!, id, 'retry', seen)).toMatchObject({
      status: 409,
      body: { message: 'WALLET_SHORT', data: { there: 200 } },
    });
  });

  test('is not sent while a bonus is played', async () => {
    const { id, member } = await sent('REJECTED');
    const { activate, forfeit, offer } = bonusHelpers(env);
    const code = await offer({ award: 'fixed', award_amount: 5_000n, deposit_min: null });
    expect((await activate(member, code)).status).toBe(200);
    expect(await perform(som!, id, 'retry', seen)).toMatchObject({
      status: 400,
      body: { message: 'BONUS_REMAINING' },
    });
    expect(await env.balance(member)).toBe(55_000n);
    expect((await forfeit(member)).status).toBe(200);
    expect((await perform(som!, id, 'retry', seen)).status).toBe(200);
  });

  test('risk score lost: a retry of a retry of a high score is sent by a second person too', async () => {
    const { id } = await sent('REJECTED');
    await env.owner.query('update withdrawal set risk_score = 100 where id = $1', [id]);
    const first = await perform(som!, id, 'retry', seen);
    expect((await approve(lead!, first.body.approval)).status).toBe(200);
    const { retriedBy } = await detail(id);
    await env.app.runJob('withdrawals.pay');
    await env.control('payout', { reference: retriedBy, state: 'REJECTED' });
    await env.app.runJob('withdrawals.ask', { id: retriedBy });
    expect((await perform(som!, retriedBy, 'retry', seen)).body).toEqual({
      state: 'FAILED',
      approval: expect.any(String),
    });
  });

  test('rule bypassed: money paid in between a refused withdrawal and its retry must be played too', async () => {
    const { deposit } = bonusHelpers(env);
    const { id, member } = await sent('REJECTED');
    await deposit(member, 700);
    expect((await perform(som!, id, 'retry', seen)).status).toBe(200);
    const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 700 }, { token: member.token });
    expect(await detail(body.id)).toMatchObject({ status: 'REVIEW', unplayed: 700 });
  });

  test('rule bypassed: so must what is paid in before the retry of a retry, and only that', async () => {
    const { deposit } = bonusHelpers(env);
    const { id, member } = await sent('REJECTED');
    await perform(som!, id, 'retry', seen);
    const { retriedBy } = await detail(id);
    await env.app.runJob('withdrawals.pay');
    await env.control('payout', { reference: retriedBy, state: 'REJECTED' });
    await env.app.runJob('withdrawals.ask', { id: retriedBy });
    await deposit(member, 200);
    expect((await perform(som!, retriedBy, 'retry', seen)).status).toBe(200);
    const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 200 }, { token: member.token });
    expect(await detail(body.id)).toMatchObject({ status: 'REVIEW', unplayed: 200 });
  });

  test('above the limit names the account that is paid now, and is not sent to one that replaced it', async () => {
    const { id, member } = await sent('REJECTED');
    const replace = async (name: string) => {
      await env.owner.query("update bank_account set status = 'REPLACED' where member_id = $1", [member.id]);
      await env.owner.query(
        `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
         select member_id, bank_code, account_no_sealed, $3, $2, 'ACTIVE', now() from bank_account where member_id = $1 limit 1`,
        [member.id, name, Buffer.from(name)],
      );
    };
    const max = env.app.deps.settings.get('desk.withdrawalMax');
    await env.set('desk.withdrawalMax', { BAHT: 100, LAK: 100 });
    await replace('SECOND ACCOUNT');
    expect((await detail(id)).resendTo).toMatchObject({ accountName: 'SECOND ACCOUNT' });
    const requested = await perform(som!, id, 'retry', seen);
    const { rows } = await env.pool.query('select summary from approval where id = $1', [
      requested.body.approval,
    ]);
    expect(rows[0].summary.account).toMatch(/SECOND ACCOUNT$/);
    await replace('THIRD ACCOUNT');
    expect(await approve(lead!, requested.body.approval)).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED' },
    });
    expect(await env.balance(member)).toBe(50_000n);
    await env.set('desk.withdrawalMax', max);
  });

  test('above the limit is sent by a second person', async () => {
    const { id } = await sent('REJECTED');
    await env.set('desk.withdrawalMax', { BAHT: 100, LAK: 100 });
    const requested = await perform(som!, id, 'retry', seen);
    expect(requested).toMatchObject({ status: 200, body: { state: 'FAILED', approval: expect.any(String) } });
    expect((await perform(lead!, id, 'retry', seen)).body.message).toBe('APPROVAL_PENDING');
    expect(await approve(lead!, requested.body.approval)).toMatchObject({
      status: 200,
      body: { state: 'QUEUED' },
    });
  });
});

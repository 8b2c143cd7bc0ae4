import { MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { settle } from '../matching/match.ts';
import { slipHelpers } from '../slips/testing-slips.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const slips = slipHelpers(env);
const [som, lead, second, support] = await Promise.all(
  ['finance', 'finance-lead', 'finance-lead', 'support'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const REASON = { reason: 'sent to us by mistake' };
/** A deposit by QR, credited. */
async function paid(member: TestMember, amount: number): Promise<string> {
  const { body } = await env.call('POST', '/api/qrcode/KBANK', { amount }, { token: member.token });
  await env.control('pay-qr', { payload: body.payload });
  return until(async () => {
    const { rows } = await env.owner.query('select id from deposit where qr_id = $1', [body.qrcodeId]);
    return rows[0]?.id as string | undefined;
  });
}
const request = (as: TestOperator | null, id: string, body: object = REASON) =>
  operators.call(as, 'POST', `/api/operator/deposits/${id}/reverse`, body);
const approve = (as: TestOperator, approval: string) =>
  operators.call(as, 'POST', `/api/operator/approvals/${approval}/approve`, {});
const bankTransactionOf = async (id: string) =>
  (
    await env.owner.query(
      `select l.id::text, l.state, l.amount, l.reversals, l.reason, l.bank_reference from bank_transaction l join deposit d
       on d.bank_code = l.bank_code and d.bank_reference = l.bank_reference where d.id = $1`,
      [id],
    )
  ).rows[0];
const statementOf = async (member: TestMember) =>
  (await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token })).body.statements;

test('B2: a reversal shows both rows, the first untouched, and the money is unmatched again', async () => {
  const member = await env.member();
  const id = await paid(member, 321);
  const [first] = await statementOf(member);
  expect((await request(null, id)).status).toBe(401);
  expect((await request(support!, id)).status).toBe(403);
  expect((await request(som!, id, {})).status).toBe(400);
  expect((await request(som!, 'DP0')).status).toBe(404);
  const requested = await request(som!, id);
  expect(requested).toMatchObject({ status: 200, body: { state: 'SUCCESS', approval: expect.any(String) } });
  expect(await env.balance(member)).toBe(32_100n);
  expect(await request(lead!, id)).toMatchObject({
    status: 409,
    body: { message: 'APPROVAL_PENDING', data: { approval: requested.body.approval } },
  });
  expect((await approve(som!, requested.body.approval)).status).toBe(403);
  expect(await approve(lead!, requested.body.approval)).toMatchObject({
    status: 200,
    body: { state: 'REVERSED' },
  });
  expect(await env.balance(member)).toBe(0n);
  expect(await statementOf(member)).toEqual([
    expect.objectContaining({
      statementType: 'withdraw',
      status: 'SUCCESS',
      from: 'wallet',
      to: 'manual',
      amount: 321,
    }),
    first,
  ]);
  expect(await bankTransactionOf(id)).toMatchObject({ state: 'UNMATCHED', reversals: 1, reason: 'REVERSED' });
  expect(await operators.audit(`deposit:${id}`)).toMatchObject([
    { action: 'approval.request' },
    { action: 'deposit.reverse', before: { state: 'SUCCESS' }, after: { state: 'REVERSED' }, ...REASON },
  ]);
  expect(await request(som!, id)).toMatchObject({
    status: 409,
    body: { message: 'ROW_CHANGED', data: { state: 'REVERSED' } },
  });
  const { body: list } = await operators.call(som!, 'GET', `/api/operator/deposits?q=${id}`);
  expect(list.deposits).toMatchObject([{ id, reversedAt: expect.any(String), approval: null }]);
});

test('what was spent is not taken: refused with what is there, before and after a second approval was requested', async () => {
  const member = await env.member();
  const id = await paid(member, 3000);
  const requested = await request(som!, id);
  await env.call('POST', '/api/wallet/withdraw', { amount: 2500 }, { token: member.token });
  const short = { status: 409, body: { message: 'WALLET_SHORT', data: { there: 500 } } };
  expect(await approve(lead!, requested.body.approval)).toMatchObject(short);
  expect(await request(lead!, id)).toMatchObject(short);
  expect(await env.balance(member)).toBe(50_000n);
  expect(await bankTransactionOf(id)).toMatchObject({ state: 'CREDITED', reversals: 0 });
});

test('forty concurrent approvals, with concurrent spending, reverse once and never below zero', async () => {
  await env.set('desk.makerChecker', false);
  const members = await Promise.all(Array.from({ length: 8 }, () => env.member()));
  const ids = await Promise.all(members.map((member) => paid(member, 200)));
  const responses = await Promise.all(
    ids.flatMap((id, at) => [
      ...Array.from({ length: 4 }, () => request(som!, id)),
      env.call('POST', '/api/wallet/withdraw', { amount: 150 }, { token: members[at]!.token }),
    ]),
  );
  await env.set('desk.makerChecker', true);
  for (const [at, member] of members.entries()) {
    const five = responses.slice(at * 5, at * 5 + 5);
    const [done, intent] = [five.slice(0, 4).filter(({ status }) => status === 200).length, five[4]!.status];
    // Either the withdrawal had the money or the reversal.
    expect([done, intent, await env.balance(member)]).toEqual(done ? [1, 400, 0n] : [0, 200, 5_000n]);
  }
});

test('its owner gets it from an operator, once, and it can be taken back and given again', async () => {
  const wrong = await env.member();
  const id = await paid(wrong, 77);
  const { body } = await request(som!, id);
  await approve(lead!, body.approval);
  const transaction = await bankTransactionOf(id);
  for (const round of [1, 2]) {
    const owner = await env.member();
    await operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/claim`);
    const give = () =>
      operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/assign`, {
        member: owner.phone,
        reason: `own account, ${round}`,
      });
    const responses = await Promise.all(Array.from({ length: 40 }, give));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await env.balance(owner)).toBe(7_700n);
    const { rows } = await env.owner.query('select id from deposit where member_id = $1', [owner.id]);
    const again = await request(second!, rows[0].id);
    await approve(lead!, again.body.approval);
    expect(await env.balance(owner)).toBe(0n);
  }
  expect(await bankTransactionOf(id)).toMatchObject({ state: 'UNMATCHED', reversals: 3 });
});

test('the former owner cannot regain it with the slip of the same transfer', async () => {
  const member = await env.member();
  const slip = await slips.make(member, { amount: '88.00' });
  await env.app.runJob('feeds.read');
  const first = await slips.upload(member, slip.bytes);
  expect(first.body).toMatchObject({ status: 'SUCCESS' });
  const { rows } = await env.owner.query('select id from deposit where member_id = $1', [member.id]);
  const { body } = await request(som!, rows[0].id);
  await approve(lead!, body.approval);
  const again = await slips.upload(member, slip.bytes);
  expect(again.body).toMatchObject({ status: 'FAILED' });
  expect(await env.balance(member)).toBe(0n);
});

test('a payment credited by its QR’s confirmation is not credited again by later evidence', async () => {
  const member = await env.member();
  const id = await paid(member, 66);
  const { body } = await request(som!, id);
  await approve(lead!, body.approval);
  await env.app.runJob('feeds.read');
  expect(await env.balance(member)).toBe(0n);
  expect(await bankTransactionOf(id)).toMatchObject({ state: 'UNMATCHED' });
});

test('evidence of it that shows a later time and another reference waits for an operator', async () => {
  const member = await env.member();
  const id = await paid(member, 67);
  const { body } = await request(som!, id);
  await approve(lead!, body.approval);
  const { rows } = await env.owner.query(
    `select b.*, m.wallet_account from deposit d join member m on m.id = d.member_id
     join bank_transaction b on b.bank_code = d.bank_code and b.bank_reference = d.bank_reference where d.id = $1`,
    [id],
  );
  const [row] = rows;
  const feedLine = {
    source: 'FEED' as const,
    bankCode: row.bank_code,
    accountNo: row.account_no,
    currency: row.currency,
    bankReference: `${row.bank_reference}F`,
    amountMinor: row.amount,
    payerBank: row.payer_bank,
    payerAccount: row.payer_mask,
    payerName: 'ทดสอบ ระบบ',
    reference1: null,
    paidAt: new Date(row.paid_at.getTime() + 3 * MINUTE_MS),
  };
  const owner = { memberId: member.id, walletAccount: row.wallet_account, channel: 'AUTO' as const };
  const settled = await settle(env.app.deps, feedLine, {
    ...owner,
    qrId: null,
    slipId: null,
    fromOtherAccount: false,
  });
  expect([settled, await env.balance(member)]).toEqual([{ booked: 'unclear' }, 0n]);
});

test('a gift taken back waits as money without an owner, and goes to its owner', async () => {
  const member = await env.member();
  const { link } = await env.control('vouchers', { amount: '45.00', phone: '0815550142' });
  await env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
  expect(await env.balance(member)).toBe(4_500n);
  const { rows } = await env.owner.query('select id from deposit where member_id = $1', [member.id]);
  const { body } = await request(som!, rows[0].id);
  expect((await approve(lead!, body.approval)).status).toBe(200);
  const transaction = await bankTransactionOf(rows[0].id);
  expect(transaction).toMatchObject({ state: 'UNMATCHED', amount: 4_500n });
  const { body: list } = await operators.call(som!, 'GET', '/api/operator/unmatched?bank=gift');
  expect(list.transactions).toMatchObject([{ bankCode: 'gift', amount: 45, payerName: null }]);
  await operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/claim`);
  const owner = await env.member();
  await operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/assign`, {
    member: owner.phone,
    reason: 'their gift',
  });
  expect(await env.balance(owner)).toBe(4_500n);
});

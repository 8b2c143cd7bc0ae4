import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { NUMBER_SEARCHES_HOUR_MAX } from '../../platform/http/number-searches.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { settle } from '../deposits/matching/match.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const slips = slipHelpers(env);
const [som, lek, lead, support] = await Promise.all(
  ['finance', 'finance', 'finance-lead', 'support'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

/** A payment to a QR that its member had cancelled: the bank has the money, and it has no owner. */
async function stray(amount: number): Promise<string> {
  const member = await env.member();
  const { body } = await env.call('POST', '/api/qrcode/KBANK', { amount }, { token: member.token });
  await env.call('DELETE', '/api/qrcode/KBANK', undefined, { token: member.token });
  await env.control('pay-qr', { payload: body.payload });
  return until(async () => {
    const { rows } = await env.owner.query('select id from bank_transaction where likely_member_id = $1', [
      member.id,
    ]);
    return rows[0] && String(rows[0].id);
  });
}
const perform = (as: TestOperator | null, id: string, what: string, body?: object) =>
  operators.call(as, 'POST', `/api/operator/unmatched/${id}/${what}`, body);
const stateOf = async (id: string) =>
  (await env.owner.query('select state from bank_transaction where id = $1', [id])).rows[0].state;

test('a transaction without an owner is listed with the likely one, and credited by who has taken it', async () => {
  const id = await stray(321);
  const list = await operators.call(som!, 'GET', '/api/operator/unmatched');
  expect(list.body.transactions).toMatchObject([
    {
      id,
      amount: 321,
      state: 'UNMATCHED',
      payerBank: 'KBANK',
      likely: { name: 'ทดสอบ ระบบ' },
      payerName: expect.any(String),
    },
  ]);
  const member = await env.member();
  const assign = { member: member.phone, reason: 'own account' };
  expect((await perform(null, id, 'assign', assign)).status).toBe(401);
  expect((await perform(support!, id, 'assign', assign)).status).toBe(403);
  expect(await perform(som!, id, 'assign', assign)).toMatchObject({
    status: 409,
    body: { message: 'NOT_CLAIMED' },
  });
  await perform(som!, id, 'claim');
  expect(await perform(som!, id, 'assign', { ...assign, member: '1' })).toMatchObject({
    status: 400,
    body: { message: 'NO_USER' },
  });
  expect((await perform(som!, id, 'assign', { member: member.phone })).status).toBe(400);
  expect(await perform(som!, id, 'assign', assign)).toMatchObject({
    status: 200,
    body: { state: 'CREDITED' },
  });
  expect(await perform(som!, id, 'assign', assign)).toMatchObject({
    status: 409,
    body: { message: 'ROW_CHANGED', data: { state: 'CREDITED' } },
  });
  expect(await env.balance(member)).toBe(32_100n);
  const statement = await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token });
  expect(statement.body.statements).toMatchObject([{ statementType: 'deposit', from: 'KBANK', amount: 321 }]);
  expect(await operators.audit(`unmatched:${id}`)).toMatchObject([
    { action: 'unmatched.claim' },
    {
      action: 'unmatched.assign',
      before: { state: 'UNMATCHED' },
      after: { state: 'CREDITED', member: String(member.id) },
    },
  ]);
});

test('a text that is the phone of one member and the id of another credits neither', async () => {
  const id = await stray(150);
  const [one, other] = [await env.member(), await env.member()];
  await env.owner.query('update member set phone = $2 where id = $1', [other.id, String(one.id)]);
  await perform(som!, id, 'claim');
  const assign = { member: String(one.id), reason: 'own account' };
  const refused = { status: 400, body: { message: 'NO_USER' } };
  expect(await perform(som!, id, 'assign', assign)).toMatchObject(refused);
  const bookings = `/api/operator/unmatched/${id}/bookings?member=${one.id}`;
  expect(await operators.call(som!, 'GET', bookings)).toMatchObject(refused);
  expect((await perform(som!, id, 'assign', { ...assign, member: one.phone })).status).toBe(200);
  expect([await env.balance(one), await env.balance(other)]).toEqual([15_000n, 0n]);
});

test('numbers tried as the owner of a transaction are limited without the right to uncover', async () => {
  await env.owner.query(
    "update operator_role set permissions = array_remove(permissions, 'member.reveal') where code = 'finance'",
  );
  const trying = (await operators.operator('finance'))!;
  const id = await stray(170);
  const { limits, clock } = env.app.deps;
  const window = { key: `number-search:${trying.id}`, ms: 3_600_000 };
  await limits.count(window, clock.now(), NUMBER_SEARCHES_HOUR_MAX - 1);
  const statuses: number[] = [];
  for (const member of ['0810000143', '0810000144', (await env.member()).phone])
    statuses.push(
      (await operators.call(trying, 'GET', `/api/operator/unmatched/${id}/bookings?member=${member}`)).status,
    );
  expect(statuses).toEqual([400, 429, 200]);
});

test('forty who credit one transaction at once to as many members credit it once', async () => {
  const id = await stray(100);
  await perform(som!, id, 'claim');
  const people = await Promise.all(Array.from({ length: 40 }, () => env.member()));
  const responses = await Promise.all(
    people.map((one) => perform(som!, id, 'assign', { member: String(one.id), reason: 'race' })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const balances = await Promise.all(people.map((one) => env.balance(one)));
  expect(balances.reduce((sum, one) => sum + one, 0n)).toBe(10_000n);
});

test('a transaction is sent back only by two, and then neither returned nor credited again', async () => {
  const id = await stray(200);
  await perform(som!, id, 'claim');
  const requested = await perform(som!, id, 'return', { proof: 'KBANK 778', reason: 'not a member' });
  expect(requested).toMatchObject({
    status: 200,
    body: { state: 'UNMATCHED', approval: expect.any(String) },
  });
  const path = `/api/operator/approvals/${requested.body.approval}/approve`;
  expect((await operators.call(som!, 'POST', path, {})).status).toBe(403);
  const member = await env.member();
  await perform(lek!, id, 'claim');
  const assign = () => perform(lek!, id, 'assign', { member: String(member.id), reason: 'member found' });
  // The money may have left the bank: who knows better withdraws the request first.
  expect(await assign()).toMatchObject({ status: 409, body: { message: 'APPROVAL_PENDING' } });
  const [returned, credited] = await Promise.all([operators.call(lead!, 'POST', path, {}), assign()]);
  expect([returned.status, credited.status]).toEqual([200, 409]);
  expect([await stateOf(id), await env.balance(member)]).toEqual(['RETURNED', 0n]);
  expect((await perform(som!, id, 'claim')).status).toBe(409);
});

/** Unmatched money, and the member's slip of the same transfer. */
async function withSlip() {
  const member = await env.member();
  const slip = await slips.make(member, { amount: '430.00' });
  const bill = {
    source: 'QR' as const,
    bankCode: 'KBANK',
    accountNo: null,
    currency: 'BAHT' as const,
    bankReference: slip.transRef,
    amountMinor: 43_000n,
    payerBank: '004',
    payerAccount: member.accountNo,
    payerName: 'ทดสอบ ระบบ',
    reference1: 'QR0',
    paidAt: env.app.deps.clock.now(),
  };
  await settle(env.app.deps, bill, { likely: [], reason: 'UNKNOWN_REFERENCE' });
  const sql = 'select id::text from bank_transaction where bank_reference = $1';
  const id: string = (await env.owner.query(sql, [slip.transRef])).rows[0].id;
  const upload = async () => (await slips.upload(member, slip.bytes)).body.status;
  return { member, id, upload };
}

test('a transaction whose return is requested is not credited by the slip of its sender', async () => {
  const { member, id, upload } = await withSlip();
  await perform(som!, id, 'claim');
  const { body } = await perform(som!, id, 'return', { proof: 'KBANK 779', reason: 'not a member' });
  expect([await upload(), await env.balance(member)]).toEqual(['REVIEW', 0n]);
  const path = `/api/operator/approvals/${body.approval}/approve`;
  expect((await operators.call(lead!, 'POST', path, {})).status).toBe(200);
  expect([await stateOf(id), await env.balance(member)]).toEqual(['RETURNED', 0n]);
});

test('a transaction that an operator has taken, who may be sending it back, is not credited by a slip', async () => {
  const [taken, free] = [await withSlip(), await withSlip()];
  await perform(som!, taken.id, 'claim');
  expect([await taken.upload(), await env.balance(taken.member)]).toEqual(['REVIEW', 0n]);
  expect(await stateOf(taken.id)).toBe('UNMATCHED');
  expect([await free.upload(), await env.balance(free.member)]).toEqual(['SUCCESS', 43_000n]);
});

test('a slip under review is decided when an operator credits its transaction: accepted for the payee, a duplicate for anyone else', async () => {
  const other = await env.member();
  for (const isPayee of [true, false]) {
    const { member, id, upload } = await withSlip();
    await perform(som!, id, 'claim');
    expect(await upload()).toBe('REVIEW');
    const payee = isPayee ? member : other;
    const assign = { member: String(payee.id), reason: 'own account' };
    expect((await perform(som!, id, 'assign', assign)).status).toBe(200);
    const list = { page: 1, limit: 10 };
    const { body } = await env.call('POST', '/api/statement/slip', list, { token: member.token });
    expect(body.slips).toMatchObject([
      isPayee
        ? { status: 'SUCCESS', note: null, statementId: expect.stringMatching(/^DP/) }
        : { status: 'FAILED', note: 'DUPLICATE_REFERENCE' },
    ]);
    expect([await env.balance(payee), await env.balance(member)]).toEqual([43_000n, isPayee ? 43_000n : 0n]);
  }
});

test('a slip accepted while its transaction is credited to someone else: one of the two is paid', async () => {
  const other = await env.member();
  for (let round = 0; round < 6; round++) {
    const { member, id, upload } = await withSlip();
    await perform(som!, id, 'claim');
    expect(await upload()).toBe('REVIEW');
    const list = await operators.call(lek!, 'GET', `/api/operator/slips?member=${member.id}`);
    const slip = `/api/operator/slips/${list.body.slips[0].id}`;
    await operators.call(lek!, 'POST', `${slip}/claim`, undefined);
    const before = await env.balance(other);
    const both = [
      () => operators.call(lek!, 'POST', `${slip}/accept`, { reason: 'seen at the bank' }),
      () => perform(som!, id, 'assign', { member: String(other.id), reason: 'own account' }),
    ];
    await Promise.all((round % 2 ? both : both.toReversed()).map((decide) => decide()));
    const paid = [await env.balance(member), (await env.balance(other)) - before];
    expect(paid.toSorted()).toEqual([0n, 43_000n]);
    const { body } = await operators.call(lek!, 'GET', slip);
    expect(body.status).toBe(paid[0] === 43_000n ? 'SUCCESS' : 'FAILED');
  }
});

test('a slip under review shows that its transaction was sent back', async () => {
  const { member, id, upload } = await withSlip();
  await perform(som!, id, 'claim');
  expect(await upload()).toBe('REVIEW');
  const { body } = await perform(som!, id, 'return', { proof: 'KBANK 780', reason: 'not a member' });
  const list = await operators.call(som!, 'GET', `/api/operator/slips?member=${member.id}`);
  const uses = async () =>
    (await operators.call(som!, 'GET', `/api/operator/slips/${list.body.slips[0].id}`)).body.uses;
  const use = { kind: 'transaction', id, member: null };
  expect(await uses()).toMatchObject([{ ...use, state: 'UNMATCHED' }]);
  await operators.call(lead!, 'POST', `/api/operator/approvals/${body.approval}/approve`, {});
  expect(await uses()).toMatchObject([{ ...use, state: 'RETURNED' }]);
});

test('credited after it was sent back: the request to book its return stays until it is decided', async () => {
  const maker = await operators.operator('finance');
  const { member, id, upload } = await withSlip();
  await perform(maker, id, 'claim');
  const { body } = await perform(maker, id, 'return', { proof: 'KBANK 781', reason: 'not a member' });
  await env.owner.query("update operator set status = 'SUSPENDED' where name = $1", [maker.name]);
  await env.owner.query(
    "update approval set lapses_at = made_at where id = $1 and lapses_at < '9999-01-01'",
    [body.approval],
  );
  await env.app.runJob('approvals.lapse');
  expect([await upload(), await env.balance(member)]).toEqual(['REVIEW', 0n]);
  expect(await stateOf(id)).toBe('UNMATCHED');
  const approved = await operators.call(
    lead!,
    'POST',
    `/api/operator/approvals/${body.approval}/approve`,
    {},
  );
  expect([approved.status, await stateOf(id)]).toEqual([200, 'RETURNED']);
});

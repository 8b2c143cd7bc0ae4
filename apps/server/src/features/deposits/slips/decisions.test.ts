import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { operatorHelpers } from '../../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { settle } from '../matching/match.ts';
import { acceptSlip, recheckSlip, refuseSlip } from './decisions.ts';
import { listUses } from './operator-queries.ts';
import { slipHelpers } from './testing-slips.ts';

const env = await startTestEnv({ jobs: false });
const { deps } = env.app;
const { make, upload } = slipHelpers(env);
const by = { actor: 'cli:tester', reason: 'seen in the statement' };

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

/** A slip whose sender the bank hides too much of. */
async function doubted(member: TestMember, intent: { amount?: string } = {}) {
  const slip = await make(member, intent);
  await env.fault({ party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 1 });
  const { body } = await upload(member, slip.bytes);
  expect(body.status).toBe('REVIEW');
  return { ...slip, id: body.id as string };
}

const audited = async (id: string) =>
  (
    await env.pool.query(
      "select actor, action, reason from audit where subject = $1 and action like 'slip.%' order by id",
      [`slip:${id}`],
    )
  ).rows;

const endOf = async (id: string) =>
  (await env.pool.query('select status, note from slip where id = $1', [id])).rows[0];
const DUPLICATE = { status: 'FAILED', note: 'DUPLICATE_REFERENCE' };

describe('a slip that waits for an operator', () => {
  test('accepted by forty at once is credited once, with one audit row', async () => {
    const member = await env.member();
    const { id } = await doubted(member);
    const responses = await Promise.all(Array.from({ length: 40 }, () => acceptSlip(deps, id, by)));
    expect(responses.filter((response) => response === 'credited')).toHaveLength(1);
    expect(await env.balance(member)).toBe(10_000n);
    const { rows } = await env.pool.query(
      'select kind, detail, state, closed_by from alert where subject = $1',
      [`slip:${id}`],
    );
    expect(rows).toEqual([
      { kind: 'slip-review', detail: expect.any(String), state: 'RESOLVED', closed_by: 'system' },
    ]);
    expect(await audited(id)).toEqual([{ ...by, action: 'slip.success' }]);
    expect(await acceptSlip(deps, id, by)).toBe('GONE');
  });

  test('of a transfer credited meanwhile ends as a duplicate', async () => {
    const member = await env.member();
    const { id, bytes } = await doubted(member);
    expect((await upload(member, bytes)).body.status).toBe('SUCCESS');
    expect(await endOf(id)).toEqual(DUPLICATE);
    expect(await acceptSlip(deps, id, by)).toBe('GONE');
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('handed in twice, of an ambiguous transfer: the decision accepts one of them', async () => {
    const member = await env.member();
    const { id, bytes, transRef } = await doubted(member, { amount: '137.00' });
    await env.fault({ party: 'slip', kind: 'masked-digits', reference: transRef, count: 1 });
    const second = (await upload(member, bytes)).body;
    expect(second.status).toBe('REVIEW');
    const { rows } = await env.owner.query('select * from slip where id = $1', [id]);
    const hidden = {
      source: 'FEED' as const,
      bankCode: rows[0].bank_code,
      accountNo: rows[0].account_no,
      currency: rows[0].currency,
      bankReference: `${transRef}F`,
      amountMinor: rows[0].amount,
      payerBank: '004',
      payerAccount: 'xxxxxxxxxx',
      payerName: '',
      reference1: null,
      paidAt: rows[0].paid_at,
    };
    const parked = await settle(deps, hidden, { likely: [], reason: 'NO_MEMBER' });
    expect(parked).toEqual({ booked: 'unmatched' });
    expect(await acceptSlip(deps, id, by)).toBe('unclear');
    const found = await env.owner.query('select id::text from transfer_evidence where bank_reference = $1', [
      transRef,
    ]);
    const path = `/api/operator/doubts/${found.rows[0].id}`;
    const operators = operatorHelpers(env);
    const som = await operators.operator('finance');
    await operators.call(som, 'POST', `${path}/claim`);
    const decision = { member: member.phone, reason: 'two transfers in the bank' };
    expect(await operators.call(som, 'POST', `${path}/decide`, decision)).toMatchObject({
      body: { state: 'CREDITED' },
    });
    const slips = await env.owner.query('select id, status, note from slip where member_id = $1', [
      member.id,
    ]);
    expect(slips.rows).toEqual(
      expect.arrayContaining([
        { id, status: 'SUCCESS', note: null },
        { id: second.id, status: 'FAILED', note: 'DUPLICATE_REFERENCE' },
      ]),
    );
    expect(await env.balance(member)).toBe(13_700n);
  });

  test('untrue status: checked again while its transfer is ambiguous, stays in review', async () => {
    const member = await env.member();
    const slip = await make(member, { amount: '139.00' });
    const seen = {
      source: 'FEED' as const,
      bankCode: 'KBANK',
      accountNo: null,
      currency: 'BAHT' as const,
      bankReference: slip.transRef,
      amountMinor: 14_000n,
      payerBank: '004',
      payerAccount: member.accountNo,
      payerName: '',
      reference1: null,
      paidAt: deps.clock.now(),
    };
    // One reference with two amounts: an operator compares both with the bank.
    expect(await settle(deps, seen, { likely: [], reason: 'NO_MEMBER' })).toEqual({ booked: 'unmatched' });
    const { body } = await upload(member, slip.bytes);
    expect(body.status).toBe('REVIEW');
    expect(await recheckSlip(deps, body.id, by)).toBe(true);
    await env.app.runJob('slips.ask');
    const { rows } = await env.pool.query('select status, note from slip where id = $1', [body.id]);
    expect(rows).toEqual([{ status: 'REVIEW', note: null }]);
    expect(await env.balance(member)).toBe(0n);
  });

  test('refused tells the member why, and stays refused', async () => {
    const member = await env.member();
    const { id } = await doubted(member);
    expect(await refuseSlip(deps, id, 'ACCOUNT_NOT_MATCH', by)).toBe(true);
    expect(await refuseSlip(deps, id, 'INVALID_SLIP', by)).toBe(false);
    expect(await acceptSlip(deps, id, by)).toBe('GONE');
    const { body } = await env.call(
      'POST',
      '/api/statement/slip',
      { page: 1, limit: 10 },
      { token: member.token },
    );
    expect(body.slips).toMatchObject([{ status: 'FAILED', note: 'ACCOUNT_NOT_MATCH' }]);
    expect(await audited(id)).toEqual([{ ...by, action: 'slip.failed' }]);
    expect(await env.balance(member)).toBe(0n);
  });

  test('queried again is credited once the bank reports enough', async () => {
    const member = await env.member();
    const { id } = await doubted(member);
    expect(await recheckSlip(deps, id, by)).toBe(true);
    await env.app.runJob('slips.ask');
    expect(await env.balance(member)).toBe(10_000n);
    expect(await recheckSlip(deps, id, by)).toBe(false);
  });
});

describe('a slip with another reference than the bank’s', () => {
  /** A slip with another printed reference, checked by the bank and ambiguous for it. */
  async function misread(member: TestMember) {
    const slip = await make(member);
    await env.fault({ party: 'slip', kind: 'late', reference: slip.transRef, count: 1 });
    const { body } = await upload(member, slip.bytes);
    const id = body.id as string;
    const printed = `0${slip.transRef}`;
    const sql = "update slip set trans_ref = $2, ask_at = now() - interval '1 minute' where id = $1";
    await env.owner.query(sql, [id, printed]);
    await env.app.runJob('slips.ask');
    const { rows } = await env.pool.query('select status, doubts, trans_ref from slip where id = $1', [id]);
    expect(rows).toMatchObject([{ status: 'REVIEW', doubts: ['reference'] }]);
    return { ...slip, id, printed };
  }
  const uses = async (id: string) => (await listUses(env.pool, id)).map((use) => use.kind);

  test('is booked under the bank’s reference: the same transfer reported again is a duplicate', async () => {
    const member = await env.member();
    const { id, bytes, transRef } = await misread(member);
    expect(await acceptSlip(deps, id, by)).toBe('credited');
    const { rows } = await env.pool.query('select bank_reference from deposit where member_id = $1', [
      member.id,
    ]);
    expect(rows).toEqual([{ bank_reference: transRef }]);
    expect((await upload(member, bytes)).body).toMatchObject({ status: 'FAILED' });
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('of a transfer credited before is a duplicate, and its use is shown', async () => {
    const member = await env.member();
    const { id, bytes } = await misread(member);
    expect((await upload(member, bytes)).body.status).toBe('SUCCESS');
    expect((await uses(id)).toSorted()).toEqual(['deposit', 'slip']);
    expect(await endOf(id)).toEqual(DUPLICATE);
    expect(await acceptSlip(deps, id, by)).toBe('GONE');
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('and the true one at the same moment: one of them is credited', async () => {
    for (let round = 0; round < 6; round++) {
      const member = await env.member();
      const { id, bytes } = await misread(member);
      const both = [() => acceptSlip(deps, id, by), () => upload(member, bytes)];
      await Promise.all((round % 2 ? both : both.toReversed()).map((go) => go()));
      expect(await env.balance(member)).toBe(10_000n);
    }
  });

  test('queried again is ambiguous again', async () => {
    const member = await env.member();
    const { id } = await misread(member);
    expect(await recheckSlip(deps, id, by)).toBe(true);
    await env.app.runJob('slips.ask');
    const { rows } = await env.pool.query('select status, doubts from slip where id = $1', [id]);
    expect(rows).toEqual([{ status: 'REVIEW', doubts: ['reference'] }]);
    expect(await env.balance(member)).toBe(0n);
  });
});

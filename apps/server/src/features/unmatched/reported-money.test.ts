import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { type NoOwner, settle, type Transfer } from '../deposits/matching/match.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { transferHelpers } from './testing-transfers.ts';

const env = await startTestEnv({ jobs: false });
await env.set('deposit.manual', true);
const { deps } = env.app;
const operators = operatorHelpers(env);
const slips = slipHelpers(env);
const { transferOf, transactionOf, report } = transferHelpers(env);
const [som, lek] = await Promise.all(['finance', 'finance'].map((role) => operators.operator(role)));

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const reason = { reason: 'seen in the bank' };
const perform = (as: TestOperator | null, pageName: string, id: string, what: string, body?: object) =>
  operators.call(as, 'POST', `/api/operator/${pageName}/${id}/${what}`, body);

const likely = (member: TestMember): NoOwner => ({ likely: [member.id], reason: 'NAME_UNSURE' });

/** Credits a report without a bank transaction. */
async function creditManually(member: TestMember, amount: number): Promise<string> {
  const id = await report(member, amount);
  await perform(som!, 'reports', id, 'claim');
  expect((await perform(som!, 'reports', id, 'credit', reason)).body).toEqual({
    state: 'SUCCESS',
    approval: null,
  });
  return id;
}

describe('double credit: after the manual credit of a report', () => {
  test('a slip does not credit the unmatched transaction that the report was about', async () => {
    const member = await env.member();
    const slip = await slips.make(member, { amount: '510.00' });
    // The feed shows the transfer first, and not whose it is.
    const seen = { ...transferOf(member, 51_000n), bankReference: slip.transRef };
    expect(await settle(deps, seen, likely(member))).toEqual({ booked: 'unmatched' });
    await creditManually(member, 510);
    expect((await slips.upload(member, slip.bytes)).body.status).toBe('REVIEW');
    expect(await env.balance(member)).toBe(51_000n);
  });

  test('a late transfer of a member whose name is unsure waits with the report, not as unmatched money', async () => {
    const member = await env.member();
    const id = await creditManually(member, 520);
    const late = transferOf(member, 52_000n);
    expect(await settle(deps, late, likely(member))).toEqual({ booked: 'unclear' });
    const { body } = await operators.call(som!, 'GET', '/api/operator/doubts?limit=100');
    expect(
      body.ambiguousMatches.find((row: Transfer) => row.bankReference === late.bankReference),
    ).toMatchObject({ reports: [{ id }] });
    const other = await env.member();
    expect(await settle(deps, transferOf(other, 52_000n), likely(other))).toEqual({
      booked: 'unmatched',
    });
  });

  test('a late transfer and the manual credit at the same time are not both booked as new money', async () => {
    const member = await env.member();
    const id = await report(member, 530);
    await perform(som!, 'reports', id, 'claim');
    const late = transferOf(member, 53_000n);
    const [settled, credited] = await Promise.all([
      settle(deps, late, likely(member)),
      perform(som!, 'reports', id, 'credit', reason),
    ]);
    expect(credited.status).toBe(200);
    expect(['unmatched', 'unclear']).toContain(settled.booked);
  });
});

describe('a report credited from a bank transaction', () => {
  test('double payment: not from one that another operator has taken, who may be sending it back', async () => {
    const member = await env.member();
    const id = await report(member, 540);
    const transfer = transferOf(member, 54_000n);
    await settle(deps, transfer, likely(member));
    const transaction = String((await transactionOf(transfer.bankReference)).id);
    await perform(lek!, 'unmatched', transaction, 'claim');
    await perform(som!, 'reports', id, 'claim');
    const credit = () => perform(som!, 'reports', id, 'credit', { ...reason, transaction });
    expect(await credit()).toMatchObject({ status: 409, body: { message: 'CLAIMED' } });
    expect([await env.balance(member), (await transactionOf(transfer.bankReference)).state]).toEqual([
      0n,
      'UNMATCHED',
    ]);
    await perform(lek!, 'unmatched', transaction, 'release');
    expect(await credit()).toMatchObject({ status: 200, body: { state: 'SUCCESS' } });
    expect(await env.balance(member)).toBe(54_000n);
  });

  test('untrue status: ends the review of the slip of that transfer', async () => {
    const member = await env.member();
    const slip = await slips.make(member, { amount: '550.00' });
    await env.fault({ party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 1 });
    expect((await slips.upload(member, slip.bytes)).body.status).toBe('REVIEW');
    const transfer = { ...transferOf(member, 55_000n), bankReference: slip.transRef };
    await settle(deps, transfer, likely(member));
    const id = await report(member, 550);
    await perform(som!, 'reports', id, 'claim');
    const transaction = String((await transactionOf(transfer.bankReference)).id);
    expect((await perform(som!, 'reports', id, 'credit', { ...reason, transaction })).status).toBe(200);
    const list = { page: 1, limit: 10 };
    const { body } = await env.call('POST', '/api/statement/slip', list, { token: member.token });
    expect(body.slips).toMatchObject([{ status: 'SUCCESS', note: null, statementId: id }]);
    expect(await env.balance(member)).toBe(55_000n);
  });
});

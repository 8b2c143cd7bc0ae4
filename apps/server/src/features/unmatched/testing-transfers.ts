/** Helpers for tests of unmatched money and payment reports. */
import { randomBytes } from 'node:crypto';
import type { TestEnv, TestMember } from '../../testing/test-env.ts';
import type { NoOwner, Transfer } from '../deposits/matching/match.ts';

export const newReference = () => randomBytes(8).toString('hex').toUpperCase();

/** No member is known for a transfer. */
export const NO_OWNER: NoOwner = { likely: [], reason: 'NO_MEMBER' };

export const transferHelpers = (env: TestEnv) => ({
  /** A transfer from the member's account to one of ours, as the feed shows it. */
  transferOf: (member: TestMember, amountMinor: bigint, change: Partial<Transfer> = {}): Transfer => ({
    source: 'FEED',
    bankCode: 'KBANK',
    accountNo: '1112223334',
    currency: 'BAHT',
    bankReference: newReference(),
    amountMinor,
    payerBank: '004',
    payerAccount: member.accountNo,
    payerName: 'ทดสอบ ระบบ',
    reference1: null,
    paidAt: env.app.deps.clock.now(),
    ...change,
  }),

  /** Reports a payment of the member; returns the report's id. */
  async report(member: TestMember, amount: number): Promise<string> {
    const { body } = await env.call('POST', '/api/wallet/add', { amount }, { token: member.token });
    return body.id;
  },

  /** The bank transaction with the reference of its first evidence. */
  async transactionOf(bankReference: string): Promise<{ id: bigint; state: string }> {
    const { rows } = await env.owner.query(
      'select id, state from bank_transaction where bank_reference = $1',
      [bankReference],
    );
    return rows[0];
  },
});

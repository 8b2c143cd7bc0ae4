import type { LedgerItem, OperatorActionRow, SavedResponse } from '../../../ledger/index.ts';
import { walletTurn } from '../matching/bank-transaction-use.ts';
import type { GiftRow } from './queries.ts';

/** The ledger items of a gift link: the attempt to redeem it, and the attempt's end. */

/** Redemptions of one voucher never meet in a batch. */
const turnOf = (code: string): string => `gift ${code}`;

interface Attempt {
  id: string;
  memberId: bigint;
  code: string;
  /** The stated value of the voucher, minor units. */
  expectedMinor: bigint;
  saved: SavedResponse | undefined;
}

/** Writes an attempt before the partner is called; for its voucher the only one. Moves no money. */
export const giftAttemptItem = ({ id, memberId, code, expectedMinor, saved }: Attempt): LedgerItem => ({
  reference: `gift:${id}:intent`,
  kind: 'gift_intent',
  memberId,
  legs: [],
  attached: { name: 'gift_intent', row: { id, memberId, code, expected: expectedMinor } },
  exclusive: [turnOf(code)],
  ...(saved ? { saved } : {}),
});

/** How an attempt ends: with what our wallet received, or with the reason for which it received nothing. */
export type GiftEnd = { amountMinor: bigint } | { reason: string };

/**
 * Ends an attempt exactly once, by the first that learns the outcome: the caller, the resolver or an operator.
 * @param from the system account of the gift wallet
 * @param action an operator's action, when they decided the end
 */
export function giftEndItem(
  row: GiftRow,
  end: GiftEnd,
  from: bigint,
  action: OperatorActionRow | null,
): LedgerItem {
  const amount = 'amountMinor' in end ? end.amountMinor : null;
  const ending = {
    id: row.id,
    memberId: row.member_id,
    code: row.code,
    state: amount === null ? 'FAILED' : 'DONE',
    amount,
    reason: 'reason' in end ? end.reason : null,
  };
  return {
    reference: `gift:${row.id}:end`,
    kind: amount === null ? 'gift_failed' : 'deposit_gift',
    memberId: row.member_id,
    legs: amount === null ? [] : [{ from, to: row.wallet_account, amountMinor: amount }],
    watch: row.wallet_account,
    attached: action ? { name: 'operator_gift', row: { action, ending } } : { name: 'gift_end', row: ending },
    exclusive: [turnOf(row.code), walletTurn(row.member_id)],
  };
}

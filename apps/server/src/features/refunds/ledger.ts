import type { LedgerItem } from '../../ledger/index.ts';
import { keysOf } from '../bonuses/read.ts';
import type { Standing } from './figures.ts';

/** The source and target accounts of the refund of a period, and the current limits. */
interface Received {
  memberId: bigint;
  cost: bigint;
  refundBalance: bigint;
  dayMax: number;
}

/**
 * Closes a refund period and moves the refund into the member's refund balance. Another try of the same period
 * may follow one that was refused, which keeps no reference.
 */
export function refundReceivedItem(
  standing: Standing,
  { memberId, cost, refundBalance, dayMax }: Received,
): LedgerItem {
  const { figures, percent, receivable, day } = standing;
  const number = figures.number + 1;
  return {
    reference: `refund:${memberId}:${number}`,
    kind: 'refund_received',
    memberId,
    legs: [{ from: cost, to: refundBalance, amountMinor: receivable }],
    attached: {
      name: 'refund_receive',
      row: {
        memberId,
        number,
        fromAt: figures.from_at,
        deposits: figures.deposits,
        withdrawals: figures.withdrawals,
        opening: figures.opening,
        balance: figures.balance,
        loss: figures.loss,
        percent,
        amount: receivable,
        paidIn: figures.paid_in,
        paidOut: figures.paid_out,
        day,
        dayMax,
      },
    },
    exclusive: keysOf(memberId),
  };
}

import type { LedgerItem, OperatorActionRow, SavedResponse } from '../../ledger/index.ts';
import { intentKey } from '../../ledger/index.ts';
import { walletTurn } from '../deposits/read.ts';
import type { Assessment } from '../risk/read.ts';
import type { WithdrawalRow } from './queries.ts';

/**
 * The ledger items of a withdrawal: hold, pay, release, return, retry. Each is built here and nowhere else; the amount
 * of its leg and of its rows is the same parameter.
 */

/** Accounts and amount of a withdrawal, minor units. */
type Money = Pick<WithdrawalRow, 'id' | 'member_id' | 'amount' | 'wallet_account' | 'hold_account'>;

const holdKey = (id: string): string => `withdrawal:${id}`;

/** What of a withdrawal was deposited and not staked, minor units. */
export interface UnplayedFinding {
  /** How much of the withdrawal; null: nothing of it, 0: a game provider does not answer. */
  unplayed: bigint | null;
  /** The stakes still owed for what stays with the member, counted since a moment; null: none. */
  rest: { needed: bigint; since: Date } | null;
  /** The version of the wallet that this holds for; null: of any. */
  walletVersion: bigint | null;
}

interface Hold {
  id: string;
  memberId: bigint;
  walletAccount: bigint;
  holdAccount: bigint;
  bankAccountId: bigint;
  bankCode: string;
  amountMinor: bigint;
  /** Refused while another withdrawal of the member is open. */
  onlyOne: boolean;
  /** What was known of it; with a reason for it an operator reviews it, however small it is. */
  assessment: Assessment;
  unplayed: UnplayedFinding;
  /** The most that is paid without a review: of one withdrawal, and of a member's within 24 hours. */
  automaticMaxMinor: bigint;
  automaticDayMaxMinor: bigint;
  saved: SavedResponse | undefined;
}

/** Holds the money of a new withdrawal and writes it, its statement row and its job. */
export const holdItem = ({ id, memberId, amountMinor, saved, assessment, ...hold }: Hold): LedgerItem => ({
  reference: `withdrawal:${id}:hold`,
  kind: 'withdrawal_hold',
  memberId,
  hold: { op: 'open', key: holdKey(id) },
  legs: [{ from: hold.walletAccount, to: hold.holdAccount, amountMinor }],
  watch: hold.walletAccount,
  attached: {
    name: 'withdrawal_request',
    row: {
      id,
      memberId,
      bankAccountId: hold.bankAccountId,
      bankCode: hold.bankCode,
      amount: amountMinor,
      onlyOne: hold.onlyOne,
      unplayed: hold.unplayed.unplayed,
      unbetNeeded: hold.unplayed.rest?.needed ?? null,
      unbetSince: hold.unplayed.rest?.since ?? null,
      walletVersion: hold.unplayed.walletVersion,
      automaticMax: hold.automaticMaxMinor,
      automaticDayMax: hold.automaticDayMaxMinor,
      ...assessment,
      parts: JSON.stringify(assessment.parts),
      evidence: JSON.stringify(assessment.evidence),
    },
    writesNoEvent: true,
  },
  ...(saved ? { saved } : {}),
  exclusive: [walletTurn(memberId), intentKey(id)],
});

/** Who settles a withdrawal: the payout worker or the command line by name, or an operator of the console. */
export type SettledBy =
  | { actor: string; payoutState: 'PAID' | 'REJECTED' | null }
  | {
      action: OperatorActionRow;
      /** The status that the operator saw; it must be the same still. */
      seen: WithdrawalRow['status'];
      /** What a manual payout was paid by. */
      proof: string | null;
      payoutState: 'PAID' | null;
    };

interface Settlement {
  by: SettledBy;
  reason: string | null;
}

function settleItem(row: Money, to: bigint, status: 'SUCCESS' | 'FAILED', end: Settlement): LedgerItem {
  const isPaid = status === 'SUCCESS';
  const same = {
    id: row.id,
    memberId: row.member_id,
    amount: row.amount,
    status,
    reason: end.reason,
    payoutState: end.by.payoutState,
  };
  return {
    reference: `withdrawal:${row.id}:end`,
    kind: isPaid ? 'withdrawal_paid' : 'withdrawal_released',
    memberId: row.member_id,
    hold: { op: isPaid ? 'post' : 'release', key: holdKey(row.id) },
    legs: [{ from: row.hold_account, to, amountMinor: row.amount }],
    attached:
      'action' in end.by
        ? {
            name: 'operator_withdrawal',
            row: { ...same, action: end.by.action, proof: end.by.proof, seen: end.by.seen },
          }
        : { name: 'withdrawal_end', row: { ...same, actor: end.by.actor } },
  };
}

/** Moves the held money to the account of the bank that paid it out. */
export const payItem = (row: Money, bankAccount: bigint, end: Settlement): LedgerItem =>
  settleItem(row, bankAccount, 'SUCCESS', end);

/** Moves the held money back to the wallet. */
export const releaseItem = (row: Money, end: Settlement): LedgerItem =>
  settleItem(row, row.wallet_account, 'FAILED', end);

interface Returned {
  /** Id of the return's statement row. */
  id: string;
  withdrawal: { id: string; member_id: bigint; amount: bigint; wallet_account: bigint };
  /** The account that received the returned money: the paying bank's, or that of unmatched transactions. */
  from: bigint;
  proof: string;
  /** The bank transaction that brought it, with the reference that uses it up. */
  transaction: { id: bigint; use: string } | null;
  action: OperatorActionRow;
}

/** Credits the money of a payout that the bank sent back. */
export const returnItem = ({ id, withdrawal, from, proof, transaction, action }: Returned): LedgerItem => ({
  reference: `withdrawal:${withdrawal.id}:return`,
  kind: 'withdrawal_returned',
  memberId: withdrawal.member_id,
  legs: [{ from, to: withdrawal.wallet_account, amountMinor: withdrawal.amount }],
  attached: {
    name: 'operator_return',
    row: { action, id, withdrawalId: withdrawal.id, proof, bankTransactionId: transaction?.id ?? null },
  },
  // No other item in the batch uses the bank transaction up, or credits what may be the same money.
  exclusive: transaction ? [`ref ${transaction.use}`] : [walletTurn(withdrawal.member_id)],
});

/** Holds the money of a refused withdrawal again, as a new withdrawal with the id given; once for each refused one. */
export const retryItem = (refused: Money, id: string, action: OperatorActionRow): LedgerItem => ({
  reference: `withdrawal:${refused.id}:retry`,
  kind: 'withdrawal_hold',
  memberId: refused.member_id,
  hold: { op: 'open', key: holdKey(id) },
  legs: [{ from: refused.wallet_account, to: refused.hold_account, amountMinor: refused.amount }],
  attached: { name: 'operator_retry', row: { action, id, retryOf: refused.id } },
  exclusive: [walletTurn(refused.member_id)],
});

import { fromMinor } from '@krapao/contract/shared';
import type { Pool } from '../../platform/database/db.ts';
import { maskedAccountNo } from '../../platform/masks.ts';
import type { Operator } from '../../platform/operators.ts';
import { assignmentView } from '../assignments/read.ts';
import { listAuditOf } from '../audit/read.ts';
import { findConversationOf } from '../chat/read.ts';
import { listMemberFlags, listNotes } from '../members/read.ts';
import { assessmentView, outcomeOf, readMemberRisk, riskView } from '../risk/read.ts';
import { listReturnCandidates } from './back-queries.ts';
import type { OperatorDeps } from './operator-deps.ts';
import {
  type AccountRow,
  findPaidTo,
  listRecent,
  type MoneyStory,
  type OperatorRow,
  readMoneyStory,
  readPayoutStory,
} from './operator-queries.ts';
import type { WithdrawalRow } from './queries.ts';

const NOTES_MAX = 3;

/** Until when nothing may be paid for it; null when it may, or is decided. */
const heldUntil = (deps: OperatorDeps, row: Pick<OperatorRow, 'held_until' | 'status'>): Date | null =>
  row.held_until && row.held_until > deps.clock.now() && (row.status === 'REVIEW' || row.status === 'QUEUED')
    ? row.held_until
    : null;

const accountView = (deps: OperatorDeps, row: AccountRow) => ({
  bankCode: row.bank_code,
  bankName: row.bank_name,
  bankNameEn: row.bank_name_en,
  bankColor: row.bank_color,
  accountNo: maskedAccountNo(deps.secrets.decrypt('bank-account', row.account_no_sealed)),
  accountName: row.account_name,
});

export function rowView(deps: OperatorDeps, row: OperatorRow, operator: Operator) {
  const assignment =
    row.assignment_operator === null
      ? null
      : {
          operator_id: row.assignment_operator,
          name: row.assignment_name!,
          touched_at: row.assignment_touched!,
        };
  return {
    id: row.id,
    member: { id: String(row.member_id), name: row.member_name },
    amount: fromMinor(row.amount, row.currency),
    currency: row.currency,
    status: row.status,
    automatic: row.automatic,
    account: accountView(deps, row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    heldUntil: heldUntil(deps, row)?.toISOString() ?? null,
    unplayed: row.unplayed === null ? null : fromMinor(row.unplayed, row.currency),
    risk: scoreView(deps, row.risk_score),
    returnedAt: row.returned_at?.toISOString() ?? null,
    assignment: assignmentView(deps, assignment, operator.id),
    approval: row.approval,
    decision: row.decision && {
      kind: row.decision,
      by: row.decision_actor!,
      mine: row.decision_operator === operator.id,
      secondsLeft: row.seconds_left ?? 0,
    },
    decidedBy: row.decided_by,
  };
}

/** What the checker is shown; money as on the wire. */
export const summaryOf = (row: Pick<WithdrawalRow, 'id' | 'member_id' | 'amount' | 'currency'>) => ({
  id: row.id,
  member: row.member_id,
  amount: fromMinor(row.amount, row.currency),
  currency: row.currency,
});

/** Above an amount, or from a risk score on, a second person approves too. */
export const needsChecker = (
  deps: OperatorDeps,
  row: Pick<OperatorRow, 'amount' | 'currency' | 'risk_score'>,
): boolean =>
  deps.settings.get('desk.makerChecker') &&
  (fromMinor(row.amount, row.currency) > deps.settings.get('desk.withdrawalMax')[row.currency] ||
    (row.risk_score !== null && outcomeOf(row.risk_score, deps.settings.get) === 'held'));

const scoreView = (deps: OperatorDeps, score: number | null) =>
  score === null ? null : { score, outcome: outcomeOf(score, deps.settings.get) };

const plain = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase();
const scriptOf = (name: string): string | undefined =>
  ['Latin', 'Thai', 'Lao'].find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name));

/** Whether two names are one; null when they are written in different scripts, which only a person can compare. */
const isSameName = (one: string, other: string): boolean | null =>
  scriptOf(one) === scriptOf(other) ? plain(one) === plain(other) : null;

function storyView(row: OperatorRow, story: MoneyStory) {
  return {
    memberSince: story.member_since.toISOString(),
    paidBefore: story.paid_before,
    depositedSince: fromMinor(story.deposited, row.currency),
    gameResultSince: fromMinor(story.game_result, row.currency),
    balanceAfter: fromMinor(story.wallet, row.currency),
    nameMatches: isSameName(row.account_name, row.member_name),
  };
}

/** What is known of the member beside the withdrawal, as far as the operator may see it. */
async function memberView(deps: OperatorDeps & { pool: Pool }, row: OperatorRow, operator: Operator) {
  const { pool, clock } = deps;
  const member = { id: row.member_id, currency: row.currency };
  const [assessment, scored, flags, recent, notes, conversation] = await Promise.all([
    assessmentView(pool, row.id, row.currency),
    readMemberRisk(deps, member),
    listMemberFlags(pool, row.member_id, clock.now()),
    listRecent(pool, row),
    operator.permissions.has('member.read') ? listNotes(pool, row.member_id, NOTES_MAX) : [],
    operator.permissions.has('chat.read') ? findConversationOf(pool, row.member_id) : undefined,
  ]);
  return {
    assessment,
    riskNow: await riskView(pool, scored, row.currency),
    flags,
    recent: recent.map(({ id, amount, status, created_at, risk_score }) => ({
      id,
      amount: fromMinor(amount, row.currency),
      status,
      createdAt: created_at.toISOString(),
      score: risk_score,
    })),
    notes: notes.map(({ id, written_at, by, text }) => ({
      id: String(id),
      at: written_at.toISOString(),
      by,
      text,
    })),
    conversation: conversation
      ? {
          id: String(conversation.id),
          at: conversation.last_at.toISOString(),
          text: conversation.last_words,
          waiting: conversation.waiting_since !== null,
        }
      : null,
  };
}

/** Everything an operator looks at before they decide. */
export async function detailView(deps: OperatorDeps & { pool: Pool }, row: OperatorRow, operator: Operator) {
  const [story, member, payout, history, transactions, paidTo] = await Promise.all([
    readMoneyStory(deps.pool, row),
    memberView(deps, row, operator),
    readPayoutStory(deps.pool, row.id),
    listAuditOf(deps.pool, `withdrawal:${row.id}`),
    listReturnCandidates(deps.pool, row.id),
    findPaidTo(deps.pool, row.member_id),
  ]);
  const mayResend = row.status === 'FAILED' && payout?.state === 'REJECTED' && row.retried_by === null;
  return {
    ...rowView(deps, row, operator),
    reason: row.reason,
    proof: row.proof,
    retryOf: row.retry_of,
    retriedBy: row.retried_by,
    resendTo: mayResend && paidTo ? accountView(deps, paidTo) : null,
    returnCandidates: transactions.map((transaction) => ({
      id: String(transaction.id),
      bankCode: transaction.bank_code,
      bankReference: transaction.bank_reference,
      paidAt: transaction.paid_at.toISOString(),
    })),
    needsChecker: needsChecker(deps, row),
    ...storyView(row, story),
    ...member,
    payout: payout && {
      state: payout.state,
      asked: payout.asked,
      sentAt: payout.sent_at.toISOString(),
      reason: payout.reason,
    },
    history,
  };
}

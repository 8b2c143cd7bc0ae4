import { withdrawals } from '@krapao/contract/operator';
import type { Actor } from '../../platform/audit.ts';
import type { Db } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../approvals/read.ts';
import { assignedAfter, release, requireAssignment } from '../assignments/read.ts';
import { lockAsSeen, requireActive, requireUndecided } from './approve.ts';
import type { OperatorDeps, RetryDeps } from './operator-deps.ts';
import { bankExists, findByProof } from './operator-queries.ts';
import { needsChecker, summaryOf } from './operator-views.ts';
import { findPayout, findWithdrawal, type WithdrawalRow } from './queries.ts';
import { settleWithdrawal } from './settle.ts';

type Status = WithdrawalRow['status'];

interface ManualPayment {
  seen: Status;
  reason: string | null;
  proof: string;
  bankCode: string;
  approvalId: string | null;
}

/** No payout, manual or automatic, to a changed bank account during its cooling-off period. */
function requireRested(
  refuse: Refuse<'ACCOUNT_COOLING'>,
  deps: OperatorDeps,
  row: Pick<WithdrawalRow, 'held_until'>,
): void {
  if (row.held_until && row.held_until > deps.clock.now())
    throw refuse('ACCOUNT_COOLING', { until: row.held_until.toISOString() });
}

/** One transfer pays one withdrawal. */
async function requireUnusedProof(
  refuse: Refuse<'PROOF_USED'>,
  deps: OperatorDeps,
  id: string,
  proof: string,
): Promise<void> {
  const withdrawal = await findByProof(deps.pool, proof, id);
  if (withdrawal !== null) throw refuse('PROOF_USED', { withdrawal });
}

/** Books that an operator has paid it manually. */
async function settleManually(
  refuse: Refuse<PostingCode | 'OPERATOR_LIMIT' | 'PROOF_USED'>,
  deps: OperatorDeps,
  actor: Actor,
  row: WithdrawalRow,
  end: ManualPayment,
): Promise<void> {
  const { id } = row;
  const auditEntry = {
    action: 'withdrawal.paid',
    subject: entityRef('withdrawal', id),
    before: { status: end.seen },
    after: {
      status: 'SUCCESS',
      amount: row.amount,
      currency: row.currency,
      proof: end.proof,
      bank: end.bankCode,
    },
    reason: end.reason,
  };
  const under = {
    at: deps.clock.now(),
    approvalId: end.approvalId,
    assignedAfter: end.approvalId ? null : assignedAfter(deps),
  };
  const by = {
    action: actionRow(actor, auditEntry, under),
    seen: end.seen,
    proof: end.proof,
    payoutState: end.seen === 'PROCESSING' ? ('PAID' as const) : null,
  };
  const outcome = await settleWithdrawal(deps, row, { paidBy: end.bankCode }, by, end.reason);
  // The ledger does not name the other withdrawal.
  if (outcome.state === 'refused' && outcome.body.message === 'PROOF_USED')
    await requireUnusedProof(refuse, deps, id, end.proof);
  await requirePosted<'OPERATOR_LIMIT' | 'PROOF_USED'>(
    refuse,
    outcome,
    async () => (await findWithdrawal(deps.pool, id))?.status,
  );
}

async function getRowOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  deps: OperatorDeps,
  id: string,
  seen: Status,
): Promise<WithdrawalRow> {
  const row = await findWithdrawal(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  if (row.status !== seen) throw refuse('ROW_CHANGED', { state: row.status });
  await requireUndecided(refuse, deps.pool, id);
  return row;
}

interface PaidPayload {
  id: string;
  seen: Status;
  proof: string;
  bankCode: string;
}

/** Whether the bank may still execute the payout order, so that an operator must not pay. */
async function requireOverdue(
  refuse: Refuse<'ROW_CHANGED'>,
  db: Db,
  row: Pick<WithdrawalRow, 'id' | 'status'>,
): Promise<void> {
  if (row.status !== 'PROCESSING') return;
  const payout = await findPayout(db, row.id);
  if (payout?.state !== 'UNKNOWN') throw refuse('ROW_CHANGED', { state: row.status, payout: payout?.state });
}

/**
 * Queries the bank about the payout order before it is booked manually; throws PAYOUT_UNSURE when it has paid, is
 * paying, or may still be reached by the order. An unreachable bank does not prevent manual booking.
 */
async function requireNotPaying(
  refuse: Refuse<'PAYOUT_UNSURE'>,
  deps: RetryDeps,
  row: WithdrawalRow,
): Promise<void> {
  if (row.status !== 'PROCESSING') return;
  const current = await deps.payoutBank.payoutState(row.id);
  if (current.outcome === 'ok' && current.value.state !== 'REJECTED')
    throw refuse('PAYOUT_UNSURE', { state: current.value.state });
  if (current.outcome !== 'rejected' || current.code !== 'ABSENT') return;
  const payout = await findPayout(deps.pool, row.id);
  if (payout && payout.order_age_seconds < deps.settings.get('unknown.absentGraceSeconds'))
    throw refuse('PAYOUT_UNSURE', { state: 'UNKNOWN' });
}

/** Answers the call that books a withdrawal as paid manually. */
export function manualCall(declare: OperatorDeclare, deps: RetryDeps): void {
  declare(withdrawals.payWithdrawalManually, async ({ params, body, actor, refuse }) => {
    const row = await getRowOrThrow(refuse, deps, params.id, body.status);
    if (!(await bankExists(deps.pool, body.bankCode))) throw refuse('NO_BANK');
    requireRested(refuse, deps, row);
    // A payout order sent before the suspension may have been executed.
    if (row.status !== 'PROCESSING') requireActive(refuse, row);
    await requireOverdue(refuse, deps.pool, row);
    await requireNotPaying(refuse, deps, row);
    const { proof, bankCode, status: seen } = body;
    await requireUnusedProof(refuse, deps, row.id, proof);
    const reason = body.reason || null;
    const needsTwo = deps.settings.get('desk.makerChecker') && row.status === 'PROCESSING';
    if (!needsTwo && !needsChecker(deps, row)) {
      await settleManually(refuse, deps, actor, row, {
        seen,
        reason,
        proof,
        bankCode,
        approvalId: null,
      });
      return { state: 'SUCCESS', approval: null };
    }
    return inTransaction(deps.pool, async (tx) => {
      await lockAsSeen(refuse, tx, row.id, seen);
      await requireOverdue(refuse, tx, row);
      await requireAssignment(refuse, deps, tx, entityRef('withdrawal', row.id), actor);
      const approval = await requestApproval(refuse, deps, tx, actor, {
        action: 'withdrawal.paid',
        subject: entityRef('withdrawal', row.id),
        payload: { id: row.id, seen, proof, bankCode } satisfies PaidPayload,
        summary: { ...summaryOf(row), proof, bankCode },
        reason,
      });
      await release(tx, entityRef('withdrawal', row.id), actor);
      return { state: row.status, approval };
    });
  });
}

/** What of manual payments waits for a second person. */
export const manualActions = (deps: RetryDeps): CheckedAction[] => [
  {
    name: 'withdrawal.paid',
    permission: 'approval.money',
    madeWith: ['withdrawal.pay'],
    async carryOut(refuse, request, actor) {
      const { id, seen, proof, bankCode } = request.payload as PaidPayload;
      const row = await getRowOrThrow(refuse, deps, id, seen);
      await requireNotPaying(refuse, deps, row);
      requireRested(refuse, deps, row);
      await requireUnusedProof(refuse, deps, id, proof);
      const { reason } = request;
      await settleManually(refuse, deps, actor, row, {
        seen,
        reason,
        proof,
        bankCode,
        approvalId: request.id,
      });
      return { state: 'SUCCESS' };
    },
  },
];

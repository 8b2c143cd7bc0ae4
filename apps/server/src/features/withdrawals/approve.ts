import type { Db, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { findPendingOf } from '../approvals/read.ts';
import { type DecisionKind, findDecision } from './decision-queries.ts';
import { lockWithdrawal } from './operator-queries.ts';
import type { WithdrawalRow } from './queries.ts';

/** Throws APPROVAL_PENDING while a request to book it as paid manually is pending: no other call pays or releases it. */
export async function requireNotPaidManually(
  refuse: Refuse<'APPROVAL_PENDING'>,
  db: Db,
  id: string,
): Promise<void> {
  const approval = await findPendingOf(db, entityRef('withdrawal', id), 'withdrawal.paid');
  if (approval) throw refuse('APPROVAL_PENDING', { approval });
}

/** Throws INACTIVE_USER: a suspended member's withdrawal waits until the member is active again, or is refused. */
export function requireActive(
  refuse: Refuse<'INACTIVE_USER'>,
  row: Pick<WithdrawalRow, 'member_id' | 'member_status'>,
): void {
  if (row.member_status !== 'ACTIVE') throw refuse('INACTIVE_USER', { member: String(row.member_id) });
}

/** What a refusal calls a withdrawal with a recorded decision. */
const DECIDED: Record<DecisionKind, string> = { APPROVE: 'APPROVED', REJECT: 'REJECTED' };

/** Throws ROW_CHANGED while a decision about the withdrawal is recorded and not carried out. */
export async function requireUndecided(refuse: Refuse<'ROW_CHANGED'>, db: Db, id: string): Promise<void> {
  const decision = await findDecision(db, id);
  if (decision) throw refuse('ROW_CHANGED', { state: DECIDED[decision.kind] });
}

/**
 * Locks an undecided withdrawal that still has the status its operator saw. Throws NO_DATA, or ROW_CHANGED with its
 * status.
 */
export async function lockAsSeen(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  tx: PoolClient,
  id: string,
  seen: WithdrawalRow['status'],
) {
  const row = await lockWithdrawal(tx, id);
  if (!row) throw refuse('NO_DATA');
  if (row.status !== seen) throw refuse('ROW_CHANGED', { state: row.status });
  await requireUndecided(refuse, tx, id);
  return row;
}

/**
 * Locks a withdrawal that waits for review and may be approved. ROW_CHANGED carries its status.
 * @param seen the status that the operator saw
 */
export async function lockForApproval(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED' | 'INACTIVE_USER' | 'APPROVAL_PENDING'>,
  tx: PoolClient,
  id: string,
  seen: WithdrawalRow['status'] = 'REVIEW',
) {
  const row = await lockAsSeen(refuse, tx, id, seen);
  if (row.status !== 'REVIEW') throw refuse('ROW_CHANGED', { state: row.status });
  requireActive(refuse, row);
  await requireNotPaidManually(refuse, tx, id);
  return row;
}

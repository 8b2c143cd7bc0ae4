import type { AuditEntry } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { addJob } from '../../platform/jobs.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { findPendingOf } from '../approvals/read.ts';
import { lockWithdrawal } from './operator-queries.ts';
import { markApproved, type WithdrawalRow } from './queries.ts';

/** Throws APPROVAL_PENDING while an operator requests to book it as paid manually: nobody else pays or releases it. */
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

/** Locks a withdrawal that still has the status its operator saw. Throws NO_DATA, or ROW_CHANGED with its status. */
export async function lockAsSeen(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  tx: PoolClient,
  id: string,
  seen: WithdrawalRow['status'],
) {
  const row = await lockWithdrawal(tx, id);
  if (!row) throw refuse('NO_DATA');
  if (row.status !== seen) throw refuse('ROW_CHANGED', { state: row.status });
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

/**
 * Queues a withdrawal for payout, with audit row and job, in the caller's transaction. Console, approval requests and
 * command line all approve by this. `audit` writes the action under the caller's name.
 */
export async function approveWithdrawal(
  refuse: Parameters<typeof lockForApproval>[0],
  deps: { clock: Clock },
  tx: PoolClient,
  id: string,
  audit: (action: Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>) => Promise<void>,
): Promise<'QUEUED'> {
  await lockForApproval(refuse, tx, id);
  await markApproved(tx, id, deps.clock.now());
  await audit({
    action: 'withdrawal.approve',
    subject: entityRef('withdrawal', id),
    before: { status: 'REVIEW' },
    after: { status: 'QUEUED' },
  });
  await addJob(tx, 'withdrawals.pay', {}, { key: 'withdrawals.pay' });
  return 'QUEUED';
}

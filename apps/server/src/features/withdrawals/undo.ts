import { type Permission, withdrawals } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import { eachRow } from '../../platform/each-row.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { addJob } from '../../platform/jobs.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { reopenApproval } from '../approvals/read.ts';
import { takeAssignment } from '../assignments/read.ts';
import { deleteUndone, moveTo } from './decision-queries.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { lockWithdrawal } from './operator-queries.ts';

/**
 * Undoes the caller's own decision that no server has begun to carry out: the withdrawal, and the request that was
 * approved, wait as before. Throws NO_DATA, or ROW_CHANGED with the status when there is nothing to undo.
 */
function undo(deps: OperatorDeps, actor: Actor, id: string): Promise<{ state: string; approval: null }> {
  return inTransaction(deps.pool, async (tx) => {
    const row = await lockWithdrawal(tx, id);
    if (!row) throw refuseAny('NO_DATA');
    const undone = await deleteUndone(tx, id, actor.id);
    if (!undone) throw refuseAny('ROW_CHANGED', { state: row.status });
    const { kind, seen: state, approval_id: approval } = undone;
    const now = deps.clock.now();
    await moveTo(tx, id, state, now);
    if (state === 'QUEUED') await addJob(tx, 'withdrawals.pay', {}, { key: 'withdrawals.pay' });
    if (approval) await reopenApproval(tx, approval);
    else await takeAssignment(refuseAny, deps, tx, entityRef('withdrawal', id), actor);
    const auditEntry = {
      action: 'withdrawal.undo',
      subject: entityRef('withdrawal', id),
      before: { decision: kind },
      after: { status: state },
    };
    await writeAudit(tx, actor, auditEntry, now);
    return { state, approval: null };
  });
}

/** Who decides about withdrawals: alone, or as the second person. */
const DECIDERS: readonly Permission[] = ['withdrawal.decide', 'approval.money'];

/** Answers undoing decisions about withdrawals. */
export function undoCall(declare: OperatorDeclare, deps: OperatorDeps): void {
  declare(withdrawals.undoWithdrawals, async ({ body, operator, actor, refuse, request }) => {
    // An API key that may only read has the same operator.
    if (!DECIDERS.some((permission) => operator.permissions.has(permission))) throw refuse('UNAUTHORIZED');
    return { results: await eachRow(request.log, body.ids, (id) => undo(deps, actor, id)) };
  });
}

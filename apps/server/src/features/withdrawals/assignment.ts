import { withdrawals } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { release, takeAssignment } from '../assignments/read.ts';
import { requireUndecided } from './approve.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { listDeciders, lockWithdrawal } from './operator-queries.ts';
import type { WithdrawalRow } from './queries.ts';

const ENDED: readonly WithdrawalRow['status'][] = ['SUCCESS', 'FAILED'];

/** Assigns an open, undecided withdrawal to the caller or a colleague, with an audit row. */
async function assign(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED' | 'CLAIMED'>,
  deps: OperatorDeps,
  tx: PoolClient,
  actor: Actor,
  { id, holder }: { id: string; holder: { id: bigint; name: string } | null },
) {
  const row = await lockWithdrawal(tx, id);
  if (!row) throw refuse('NO_DATA');
  if (ENDED.includes(row.status)) throw refuse('ROW_CHANGED', { state: row.status });
  await requireUndecided(refuse, tx, id);
  const subject = entityRef('withdrawal', id);
  const taken = await takeAssignment(refuse, deps, tx, subject, actor, holder?.id);
  const action = holder
    ? { action: 'withdrawal.assign', subject, after: { operator: holder.name } }
    : { action: 'withdrawal.claim', subject };
  await writeAudit(tx, actor, action, deps.clock.now());
  return taken;
}

/** Serves taking, releasing and reassigning withdrawals. */
export function assignmentCalls(declare: OperatorDeclare, deps: OperatorDeps): void {
  const { pool } = deps;
  declare(withdrawals.listAssignees, async ({ operator }) => ({
    operators: (await listDeciders(pool))
      .filter(({ id }) => id !== operator.id)
      .map(({ id, name }) => ({ id: String(id), name })),
  }));
  declare(withdrawals.takeWithdrawal, ({ params, actor, refuse }) =>
    inTransaction(pool, (tx) => assign(refuse, deps, tx, actor, { id: params.id, holder: null })),
  );
  declare(withdrawals.assignWithdrawal, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const holder = (await listDeciders(tx)).find(({ id }) => String(id) === body.operator);
      if (!holder) throw refuse('NO_DATA');
      return assign(refuse, deps, tx, actor, { id: params.id, holder });
    }),
  );
  declare(withdrawals.releaseWithdrawal, ({ params, actor }) =>
    inTransaction(pool, async (tx) => {
      const subject = entityRef('withdrawal', params.id);
      if (await release(tx, subject, actor))
        await writeAudit(tx, actor, { action: 'withdrawal.release', subject }, deps.clock.now());
      return { message: 'OK' };
    }),
  );
}

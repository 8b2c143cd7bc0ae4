import { withdrawals } from '@krapao/contract/operator';
import { actorName, writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { listReasons, removeReason, saveReason } from './decision-queries.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** Answers the reasons that operators prepare for rejecting withdrawals. */
export function rejectionReasonCalls(declare: OperatorDeclare, deps: OperatorDeps): void {
  const { pool, clock } = deps;
  const action = 'withdrawal.reason';
  declare(withdrawals.listRejectionReasons, async () => ({
    reasons: (await listReasons(pool)).map(({ code, notice }) => ({ id: code, notice })),
  }));
  declare(withdrawals.saveRejectionReason, async ({ params: { id: code }, body: { notice }, actor }) => {
    await inTransaction(pool, async (tx) => {
      const now = clock.now();
      const before = await saveReason(tx, { code, notice, by: actorName(actor), now });
      const subject = entityRef('rejection-reason', code);
      await writeAudit(tx, actor, { action, subject, before, after: notice }, now);
    });
    return { message: 'OK' };
  });
  declare(withdrawals.removeRejectionReason, async ({ params: { id: code }, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const before = await removeReason(tx, code);
      if (before === undefined) throw refuse('NO_DATA');
      const subject = entityRef('rejection-reason', code);
      await writeAudit(tx, actor, { action, subject, before, after: null }, clock.now());
    });
    return { message: 'OK' };
  });
}

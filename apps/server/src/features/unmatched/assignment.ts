import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { assignmentView, release, takeAssignment } from '../assignments/read.ts';

interface Deps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

/** The assignment of a queue's row as lists read it. */
export interface AssignmentColumns {
  assignment_operator: bigint | null;
  assignment_name: string | null;
  assignment_touched: Date | null;
}

/** Returns the assignment of a row as the console shows it; null without one. */
export const assignmentOf = (deps: Deps, row: AssignmentColumns, operatorId: bigint) =>
  assignmentView(
    deps,
    row.assignment_operator === null
      ? null
      : {
          operator_id: row.assignment_operator,
          name: row.assignment_name!,
          touched_at: row.assignment_touched!,
        },
    operatorId,
  );

/** Takes a subject, with its audit row. */
export const take = (refuse: Refuse<'CLAIMED'>, deps: Deps, subject: EntityRef, actor: Actor) =>
  inTransaction(deps.pool, async (tx) => {
    const taken = await takeAssignment(refuse, deps, tx, subject, actor);
    await writeAudit(tx, actor, { action: `${subject.split(':')[0]}.claim`, subject }, deps.clock.now());
    return taken;
  });

/** Releases a subject; a repeat changes nothing. */
export const letGo = (deps: Deps, subject: EntityRef, actor: Actor) =>
  inTransaction(deps.pool, async (tx) => {
    if (await release(tx, subject, actor))
      await writeAudit(tx, actor, { action: `${subject.split(':')[0]}.release`, subject }, deps.clock.now());
    return { message: 'OK' };
  });

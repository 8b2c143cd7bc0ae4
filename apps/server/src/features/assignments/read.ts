import { MINUTE_MS } from '@krapao/contract/durations';
import type { Actor } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import {
  type AssignmentRow,
  deleteAssignment,
  findAssignment,
  lockAssignment,
  upsertAssignment,
} from './queries.ts';

interface Deps {
  clock: Clock;
  settings: Settings;
}

const idleMs = (deps: Deps): number => deps.settings.get('desk.claimMinutes') * MINUTE_MS;

/** An assignment counts while it was touched after this. */
export const assignedAfter = (deps: Deps): Date => new Date(deps.clock.now().getTime() - idleMs(deps));

/** An assignment as the console shows it; null when it has freed itself. */
export function assignmentView(deps: Deps, row: AssignmentRow | null, operatorId: bigint) {
  if (!row || row.touched_at <= assignedAfter(deps)) return null;
  return {
    by: row.name,
    until: new Date(row.touched_at.getTime() + idleMs(deps)).toISOString(),
    mine: row.operator_id === operatorId,
  };
}

async function assign(
  refuse: Refuse<'CLAIMED'>,
  deps: Deps,
  db: Db,
  subject: EntityRef,
  actor: Actor,
  holderId: bigint,
) {
  const now = deps.clock.now();
  const had = await upsertAssignment(db, {
    subject,
    operatorId: holderId,
    callerId: actor.id,
    now,
    freeBefore: assignedAfter(deps),
  });
  const row = (await findAssignment(db, subject)) ?? null;
  const view = assignmentView(deps, row, actor.id);
  if (had === undefined || !view) throw refuse('CLAIMED', { by: row?.name });
  return { view, isNew: !had };
}

/**
 * Takes a subject or extends its assignment; throws CLAIMED with the assigned operator. The caller writes the audit row of taking.
 * @param holderId the new assigned operator, where that is a colleague
 */
export async function takeAssignment(
  refuse: Refuse<'CLAIMED'>,
  deps: Deps,
  db: Db,
  subject: EntityRef,
  actor: Actor,
  holderId: bigint = actor.id,
) {
  return (await assign(refuse, deps, db, subject, actor, holderId)).view;
}

/**
 * Takes a subject for one action, or extends the caller's assignment, and returns whether it is new: only then the action
 * releases it when it fails. Throws CLAIMED with the assigned operator.
 */
export async function ensureAssignment(
  refuse: Refuse<'CLAIMED'>,
  deps: Deps,
  db: Db,
  subject: EntityRef,
  actor: Actor,
): Promise<boolean> {
  return (await assign(refuse, deps, db, subject, actor, actor.id)).isNew;
}

/** Locks the caller's own assignment for the action that follows; throws CLAIMED or NOT_CLAIMED. */
export async function requireAssignment(
  refuse: Refuse<'NOT_CLAIMED' | 'CLAIMED'>,
  deps: Deps,
  tx: PoolClient,
  subject: EntityRef,
  actor: Actor,
): Promise<void> {
  const row = await lockAssignment(tx, subject);
  if (!row || row.touched_at <= assignedAfter(deps)) throw refuse('NOT_CLAIMED');
  if (row.operator_id !== actor.id) throw refuse('CLAIMED', { by: row.name });
}

/** Releases the caller's assignment; a repeat changes nothing. */
export const release = (db: Db, subject: EntityRef, actor: Actor): Promise<boolean> =>
  deleteAssignment(db, subject, actor.id);

export type { AssignmentRow } from './queries.ts';

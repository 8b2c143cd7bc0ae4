import { MINUTE_MS } from '@krapao/contract/durations';
import type { Actor } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { type ClaimRow, deleteClaim, findClaim, lockClaim, takeClaim } from './queries.ts';

interface Deps {
  clock: Clock;
  settings: Settings;
}

const idleMs = (deps: Deps): number => deps.settings.get('desk.claimMinutes') * MINUTE_MS;

/** A claim counts while it was touched after this. */
export const claimedAfter = (deps: Deps): Date => new Date(deps.clock.now().getTime() - idleMs(deps));

/** A claim as the console shows it; null when it has freed itself. */
export function claimView(deps: Deps, row: ClaimRow | null, operatorId: bigint) {
  if (!row || row.touched_at <= claimedAfter(deps)) return null;
  return {
    by: row.name,
    until: new Date(row.touched_at.getTime() + idleMs(deps)).toISOString(),
    mine: row.operator_id === operatorId,
  };
}

/** Takes a subject or keeps it longer; throws CLAIMED with who has it. Taking leaves an audit row to the caller. */
export async function claim(refuse: Refuse<'CLAIMED'>, deps: Deps, db: Db, subject: EntityRef, actor: Actor) {
  const now = deps.clock.now();
  const isTaken = await takeClaim(db, { subject, operatorId: actor.id, now, freeBefore: claimedAfter(deps) });
  const row = (await findClaim(db, subject)) ?? null;
  const view = claimView(deps, row, actor.id);
  if (!isTaken || !view) throw refuse('CLAIMED', { by: row?.name });
  return view;
}

/** Locks the caller's own claim for the act that follows; throws CLAIMED or NOT_CLAIMED. */
export async function requireClaim(
  refuse: Refuse<'NOT_CLAIMED' | 'CLAIMED'>,
  deps: Deps,
  tx: PoolClient,
  subject: EntityRef,
  actor: Actor,
): Promise<void> {
  const row = await lockClaim(tx, subject);
  if (!row || row.touched_at <= claimedAfter(deps)) throw refuse('NOT_CLAIMED');
  if (row.operator_id !== actor.id) throw refuse('CLAIMED', { by: row.name });
}

/** Lets go of the caller's claim; a repeat changes nothing. */
export const release = (db: Db, subject: EntityRef, actor: Actor): Promise<boolean> =>
  deleteClaim(db, subject, actor.id);

export type { ClaimRow } from './queries.ts';

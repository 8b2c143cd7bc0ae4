import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { claim, claimView, release } from '../claims/read.ts';

interface Deps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

/** A queue row's claim as lists read it. */
export interface ClaimColumns {
  claim_operator: bigint | null;
  claim_name: string | null;
  claim_touched: Date | null;
}

/** The claim on a row as the console shows it; null when nobody has it. */
export const claimOf = (deps: Deps, row: ClaimColumns, operatorId: bigint) =>
  claimView(
    deps,
    row.claim_operator === null
      ? null
      : { operator_id: row.claim_operator, name: row.claim_name!, touched_at: row.claim_touched! },
    operatorId,
  );

/** Takes a subject, with its audit row. */
export const take = (refuse: Refuse<'CLAIMED'>, deps: Deps, subject: EntityRef, actor: Actor) =>
  inTransaction(deps.pool, async (tx) => {
    const taken = await claim(refuse, deps, tx, subject, actor);
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

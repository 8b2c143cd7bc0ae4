import { type Actor, type AuditEntry, writeAudit } from './audit.ts';
import type { Clock } from './clock.ts';
import type { Pool, PoolClient } from './database/db.ts';
import type { Refuse } from './refusal.ts';
import { inTransaction } from './transaction.ts';

/** A list whose whole order operators set; its rows are named by ids or codes. */
export interface OrderedList {
  /** Locks the list against every other change and returns its names in today's order. */
  lock(tx: PoolClient): Promise<readonly string[]>;
  /** Writes the positions. */
  write(tx: PoolClient, names: readonly string[]): Promise<void>;
  /** How the audit trail names the change and the list. */
  audit: Pick<AuditEntry, 'action' | 'subject'>;
}

/**
 * Puts a whole list into another order, with its audit row, in one transaction. Throws ROW_CHANGED unless `names` are
 * exactly those of the list. A repeat writes the same order again.
 */
export async function reorder(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: { pool: Pool; clock: Clock },
  actor: Actor,
  names: readonly string[],
  list: OrderedList,
): Promise<{ message: string }> {
  await inTransaction(deps.pool, async (tx) => {
    const before = await list.lock(tx);
    if (before.toSorted().join() !== names.toSorted().join()) throw refuse('ROW_CHANGED');
    await list.write(tx, names);
    await writeAudit(tx, actor, { ...list.audit, before, after: names }, deps.clock.now());
  });
  return { message: 'OK' };
}

import type { PoolClient } from './database/db.ts';

/**
 * Holds a list of few rows until the transaction ends, so that two who add to it at once both count what is there.
 * @param name of the list, the same wherever rows are added to it
 */
export async function lockList(tx: PoolClient, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [name]);
}

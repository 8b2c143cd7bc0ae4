import type { Db, PoolClient } from '../../platform/database/db.ts';

export interface SettingRow {
  key: string;
  value: unknown;
  version: number;
  updated_at: Date;
}

/** Settings that were ever changed. */
export async function listChanged(db: Db): Promise<SettingRow[]> {
  return (await db.query('select key, value, version, updated_at from setting')).rows;
}

/** Lets one transaction at a time change settings: some are compared with each other. */
export async function lockSettings(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('settings'))");
}

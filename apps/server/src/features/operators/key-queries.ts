import type { Db } from '../../platform/database/db.ts';

export interface KeyRow {
  id: string;
  name: string;
  permissions: string[];
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_address: string | null;
}

/** Returns the keys of an operator, newest first. */
export async function listKeys(db: Db, operatorId: bigint): Promise<KeyRow[]> {
  const sql = `select id, name, permissions, created_at, expires_at, revoked_at, last_used_at, last_address
    from operator_key where operator_id = $1 order by created_at desc, id desc limit 100`;
  return (await db.query(sql, [operatorId])).rows;
}

/** Counts the keys of an operator that still count. */
export async function countKeys(db: Db, operatorId: bigint, now: Date): Promise<number> {
  const sql =
    'select count(*)::int as count from operator_key where operator_id = $1 and revoked_at is null and expires_at > $2';
  return (await db.query(sql, [operatorId, now])).rows[0]!.count;
}

/** Adds a key; false when one that was not revoked has the name. */
export async function insertKey(
  db: Db,
  key: {
    id: string;
    operatorId: bigint;
    name: string;
    permissions: readonly string[];
    hash: Buffer;
    now: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const result = await db.query(
    `insert into operator_key (id, operator_id, name, permissions, key_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [key.id, key.operatorId, key.name, key.permissions, key.hash, key.now, key.expiresAt],
  );
  return result.rowCount === 1;
}

/** Revokes keys of an operator, one or all; returns how many. */
export async function revokeKeys(
  db: Db,
  operatorId: bigint,
  only: string | null,
  now: Date,
): Promise<number> {
  const result = await db.query(
    `update operator_key set revoked_at = $3 where operator_id = $1 and revoked_at is null and ($2::text is null or id = $2)`,
    [operatorId, only, now],
  );
  return result.rowCount ?? 0;
}

import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

export async function insertFile(
  db: Db,
  file: { key: string; kind: 'image' | 'video'; now: Date },
): Promise<void> {
  await db.query('insert into chat_file (key, kind, created_at) values ($1, $2, $3)', [
    file.key,
    file.kind,
    file.now,
  ]);
}

/** The kind of a file that no message names yet; undefined for any other. */
export async function findUnused(db: Db, key: string): Promise<'image' | 'video' | undefined> {
  const sql = 'select kind from chat_file where key = $1 and message_id is null';
  return (await db.query<{ kind: 'image' | 'video' }>(sql, [key])).rows[0]?.kind;
}

/** From now on the message keeps the file; false when another has taken it. */
export async function takeFile(tx: PoolClient, key: string, messageId: bigint): Promise<boolean> {
  const sql = 'update chat_file set message_id = $2 where key = $1 and message_id is null';
  return (await tx.query(sql, [key, messageId])).rowCount === 1;
}

/** Forgets files nobody used in time; answers their keys. */
export async function sweepFiles(db: Db, before: Date): Promise<string[]> {
  const sql =
    'delete from chat_file where key in (select key from chat_file where message_id is null and created_at < $1 limit 200) and message_id is null returning key';
  return (await db.query<{ key: string }>(sql, [before])).rows.map((row) => row.key);
}

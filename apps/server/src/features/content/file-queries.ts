import type { Db, PoolClient } from '../../platform/database/db.ts';

export interface FileRow {
  id: string;
  type: 'image/jpeg' | 'video/mp4' | 'video/webm';
  bytes: number;
  part_bytes: number;
}

/** Keeps a file in parts of `part_bytes`. */
export async function insertFile(
  tx: PoolClient,
  file: FileRow & { by: string; now: Date; content: Uint8Array },
): Promise<void> {
  await tx.query(
    'insert into content_file (id, type, bytes, part_bytes, added_by, added_at) values ($1, $2, $3, $4, $5, $6)',
    [file.id, file.type, file.bytes, file.part_bytes, file.by, file.now],
  );
  for (let part = 0; part * file.part_bytes < file.bytes; part++) {
    const from = part * file.part_bytes;
    await tx.query('insert into content_file_part (file_id, part, bytes) values ($1, $2, $3)', [
      file.id,
      part,
      file.content.subarray(from, from + file.part_bytes),
    ]);
  }
}

export async function findFile(db: Db, id: string): Promise<FileRow | undefined> {
  const sql = 'select id, type, bytes, part_bytes from content_file where id = $1';
  return (await db.query(sql, [id])).rows[0];
}

/** The files with these ids, in any order. */
export async function listFiles(db: Db, ids: readonly string[]): Promise<FileRow[]> {
  const sql = 'select id, type, bytes, part_bytes from content_file where id = any($1)';
  return (await db.query(sql, [ids])).rows;
}

/** The same, locked against deletion until the transaction ends. */
export async function holdFiles(tx: PoolClient, ids: readonly string[]): Promise<FileRow[]> {
  const sql = 'select id, type, bytes, part_bytes from content_file where id = any($1) for key share';
  return (await tx.query(sql, [ids])).rows;
}

export async function readPart(db: Db, id: string, part: number): Promise<Buffer> {
  const sql = 'select bytes from content_file_part where file_id = $1 and part = $2';
  return (await db.query(sql, [id, part])).rows[0]!.bytes;
}

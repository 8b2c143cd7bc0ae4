import type { Pool, PoolClient } from '../../platform/database/db.ts';

/** The folder of uploads; the names are ours, never a caller's. */
export type UploadTable = 'content_file' | 'content_picture';

const markSql = <const Table extends UploadTable>(table: Table) =>
  `with seen as (select f.id, n.id is null as is_unused from ${table} f left join upload_names() n(id) on n.id = f.id)
     update ${table} f set unused_since = case when s.is_unused then $1::timestamptz end
     from seen s where s.id = f.id and s.is_unused = (f.unused_since is null)` as const;
const MARK_UNUSED = {
  content_file: markSql('content_file'),
  content_picture: markSql('content_picture'),
} as const;

/** Notes since when uploads are named nowhere, and takes the note off those that are named again. */
export async function markUnused(db: Pool, table: UploadTable, now: Date): Promise<void> {
  await db.query(MARK_UNUSED[table], [now]);
}

/** Locks uploads that were named nowhere since before a time, but for those being put to use just now. */
export async function lockUnused(tx: PoolClient, table: UploadTable, before: Date): Promise<string[]> {
  const sql =
    `select id from ${table} where unused_since < $1 order by id limit 200 for update skip locked` as const;
  return (await tx.query(sql, [before])).rows.map((row) => row.id);
}

/** Of these, those that are still named nowhere. */
export async function stillUnused(tx: PoolClient, ids: readonly string[]): Promise<string[]> {
  const sql = 'select u.id from unnest($1::text[]) u(id) where u.id not in (select n from upload_names() n)';
  return (await tx.query(sql, [ids])).rows.map((row) => row.id);
}

export async function deleteUploads(
  tx: PoolClient,
  table: UploadTable,
  ids: readonly string[],
): Promise<void> {
  if (table === 'content_file')
    await tx.query('delete from content_file_part where file_id = any($1)', [ids]);
  await tx.query(`delete from ${table} where id = any($1)`, [ids]);
}

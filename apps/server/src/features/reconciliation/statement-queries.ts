import type { FileLine, Span, StatementFormat, StatementLine } from '../../outside/index.ts';
import type { Db, Pool } from '../../platform/database/db.ts';
import type { Choices } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, numberKey, type Slice, timeKey } from '../../platform/http/cursor.ts';

/** A statement file as operators see it. */
export interface StatementFileRow {
  id: bigint;
  source: string;
  format: StatementFormat;
  name: string;
  from_day: string;
  to_day: string;
  line_count: number;
  uploaded_by: string;
  uploaded_at: Date;
  removed_at: Date | null;
}

const COLUMNS =
  'f.id, f.source, f.format, f.name, f.from_day::text as from_day, f.to_day::text as to_day, f.line_count, f.uploaded_by, f.uploaded_at, f.removed_at';

/** Writes the file; undefined where the same is stored for this source. */
export async function insertStatementFile(
  tx: Db,
  file: Pick<StatementFileRow, 'source' | 'format' | 'name' | 'from_day' | 'to_day' | 'line_count'> & {
    sha256: Buffer;
    by: string;
    now: Date;
  },
): Promise<bigint | undefined> {
  const sql = `insert into statement_file (source, format, name, sha256, from_day, to_day, line_count, uploaded_by, uploaded_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (source, sha256) where removed_at is null do nothing returning id`;
  const { source, format, name, sha256, from_day, to_day, line_count, by, now } = file;
  const values = [source, format, name, sha256, from_day, to_day, line_count, by, now] as const;
  return (await tx.query(sql, values)).rows[0]?.id;
}

/** Writes the movements of a file, numbered in its order. */
export async function insertStatementLines(
  tx: Db,
  fileId: bigint,
  lines: readonly FileLine[],
): Promise<void> {
  const sql = `insert into statement_line (file_id, number, day, reference, ours, direction, amount, at, until, account)
    select $1, row_number() over (), l.* from unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[], $8::timestamptz[], $9::text[]) l`;
  await tx.query(sql, [
    fileId,
    lines.map(({ day }) => day),
    lines.map(({ reference }) => reference),
    lines.map(({ ours }) => ours),
    lines.map(({ direction }) => direction),
    lines.map(({ amountMinor }) => amountMinor),
    lines.map(({ at }) => at),
    lines.map(({ at, until }) => until ?? at),
    lines.map(({ account }) => account),
  ]);
}

/** The stored file with these bytes for a source. */
export async function findSameFile(
  db: Db,
  source: string,
  sha256: Buffer,
): Promise<StatementFileRow | undefined> {
  const sql =
    `select ${COLUMNS} from statement_file f where f.source = $1 and f.sha256 = $2 and f.removed_at is null` as const;
  return (await db.query(sql, [source, sha256])).rows[0];
}

/** The file with this number, locked. */
export async function lockStatementFile(tx: Db, id: bigint): Promise<StatementFileRow | undefined> {
  const sql = `select ${COLUMNS} from statement_file f where f.id = $1 for update` as const;
  return (await tx.query(sql, [id])).rows[0];
}

/** Takes a file out of use; its movements stay for the audit. */
export async function removeStatementFile(tx: Db, id: bigint, now: Date): Promise<void> {
  await tx.query('update statement_file set removed_at = $2 where id = $1', [id, now]);
}

/** The file that counts for each source on a day: the last one that covers it. */
export async function listFilesOfDay(db: Db, day: string): Promise<StatementFileRow[]> {
  const sql =
    `select distinct on (f.source) ${COLUMNS} from statement_file f where f.removed_at is null and f.from_day <= $1::date and f.to_day >= $1::date order by f.source, f.id desc` as const;
  return (await db.query(sql, [day])).rows;
}

/**
 * Movements of a source's files that may be in a span, oldest first. Of several files that cover a day the last one
 * counts, alone.
 */
export async function listFileLines(pool: Pool, source: string, span: Span): Promise<StatementLine[]> {
  const sql = `select l.reference, l.ours, l.direction, l.amount, l.at, l.until, l.account
    from statement_file f join statement_line l on l.file_id = f.id
    where f.source = $1 and f.removed_at is null and l.until >= $2 and l.at < $3
      and not exists (select from statement_file n where n.source = f.source and n.removed_at is null and n.id > f.id and l.day between n.from_day and n.to_day)
    order by l.at, f.id, l.number`;
  const { rows } = await pool.query(sql, [source, span.from, span.to]);
  return rows.map(({ amount, ...row }) => ({ ...row, amountMinor: amount }));
}

const ID = numberKey('f.id');
/** What the list of files is ordered by. */
export const STATEMENT_KEYS = { orders: { uploadedAt: timeKey('f.uploaded_at') }, id: ID };
const WHERE = '($1::text[] is null or f.source = any($1)) and f.source <> all($2::text[])';

/** The files of a page, also removed ones. */
export async function listStatementFiles(
  db: Db,
  source: Choices,
  slice: Slice,
): Promise<(StatementFileRow & { cursor_value: string | null })[]> {
  const text = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `statement_file f where ${WHERE}`,
      ...STATEMENT_KEYS,
      parameters: ['$3', '$4', '$5'],
    },
    slice.readSort,
  );
  return (await db.query(text, [source.only, source.not, ...keysetValues(slice)])).rows;
}

/** Counts the files up to `most`; null counts all. */
export async function countStatementFiles(db: Db, source: Choices, most: number | null): Promise<number> {
  const sql =
    `select count(*)::int as total from (select from statement_file f where ${WHERE} limit $3) found` as const;
  return (await db.query(sql, [source.only, source.not, most])).rows[0]!.total;
}

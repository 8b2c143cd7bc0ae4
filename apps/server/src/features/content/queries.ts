import type { Db, PoolClient } from '../../platform/database/db.ts';
import type { Bodies } from './texts.ts';

export interface ContentRow {
  key: string;
  revision: number;
  published_at: Date | null;
  published_by: string | null;
  /** What members have. */
  words: Partial<Bodies>;
  draft_id: string | null;
  draft_words: Bodies | null;
  saved_by: string | null;
  saved_at: Date | null;
}

/** What is published of these keys, and what is drafted. */
export async function listContent(db: Db, keys: readonly string[]): Promise<ContentRow[]> {
  const result = await db.query(
    `select k.key, coalesce(r.revision, 0) as revision, r.published_at, r.published_by,
       coalesce((select jsonb_object_agg(c.language, c.body) from content c where c.key = k.key), '{}') as words,
       d.id as draft_id, d.words as draft_words, d.saved_by, d.saved_at
     from unnest($1::text[]) with ordinality k(key, position)
     left join lateral (select revision, published_at, published_by from content_revision r where r.key = k.key
       order by revision desc limit 1) r on true
     left join content_draft d on d.key = k.key
     order by k.position`,
    [keys],
  );
  return result.rows;
}

/** Lets one transaction at a time change a key. */
export async function lockContent(tx: PoolClient, key: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('content:' || $1))", [key]);
}

/** What members have of a key now, in the languages it is written in. */
export async function readBodies(db: Db, key: string): Promise<Partial<Bodies>> {
  const result = await db.query('select language, body from content where key = $1', [key]);
  return Object.fromEntries(result.rows.map((row) => [row.language, row.body]));
}

/** The newest revision's number; 0 when there is none. */
export async function lastRevision(db: Db, key: string): Promise<number> {
  const sql = 'select coalesce(max(revision), 0) as revision from content_revision where key = $1';
  return (await db.query(sql, [key])).rows[0]!.revision;
}

export async function writeBody(
  db: Db,
  row: { key: string; language: string; body: unknown; now: Date },
): Promise<void> {
  await db.query(
    `insert into content (key, language, body, updated_at) values ($1, $2, $3::jsonb, $4)
     on conflict (key, language) do update set body = excluded.body, updated_at = excluded.updated_at`,
    [row.key, row.language, JSON.stringify(row.body), row.now],
  );
}

export interface Revision {
  key: string;
  revision: number;
  words: Partial<Bodies>;
  by: string;
  now: Date;
  reason: string | null;
  reverts: number | null;
}

export async function insertRevision(db: Db, row: Revision): Promise<void> {
  await db.query(
    `insert into content_revision (key, revision, words, published_by, published_at, reason, reverts)
     values ($1, $2, $3::jsonb, $4, $5, $6, $7)`,
    [row.key, row.revision, JSON.stringify(row.words), row.by, row.now, row.reason, row.reverts],
  );
}

export interface RevisionRow {
  revision: number;
  words: Partial<Bodies>;
  published_by: string;
  published_at: Date;
  reason: string | null;
  reverts: number | null;
}

const REVISION = 'revision, words, published_by, published_at, reason, reverts';
const REVISIONS_SHOWN = 50;

/** The newest revisions of a key, newest first. */
export async function listRevisions(db: Db, key: string): Promise<RevisionRow[]> {
  const sql =
    `select ${REVISION} from content_revision where key = $1 order by revision desc limit ${REVISIONS_SHOWN}` as const;
  return (await db.query(sql, [key])).rows;
}

export async function findRevision(db: Db, key: string, revision: number): Promise<RevisionRow | undefined> {
  const sql = `select ${REVISION} from content_revision where key = $1 and revision = $2` as const;
  return (await db.query(sql, [key, revision])).rows[0];
}

export interface DraftRow {
  id: string;
  words: Bodies;
}

export async function findDraft(db: Db, key: string): Promise<DraftRow | undefined> {
  return (await db.query('select id, words from content_draft where key = $1', [key])).rows[0];
}

export async function writeDraft(
  db: Db,
  draft: { key: string; id: string; words: Bodies; by: string; now: Date },
): Promise<void> {
  await db.query(
    `insert into content_draft (key, id, words, saved_by, saved_at) values ($1, $2, $3::jsonb, $4, $5)
     on conflict (key) do update set id = excluded.id, words = excluded.words, saved_by = excluded.saved_by, saved_at = excluded.saved_at`,
    [draft.key, draft.id, JSON.stringify(draft.words), draft.by, draft.now],
  );
}

/** Ends a draft; false when it is another one by now. */
export async function deleteDraft(db: Db, key: string, id: string): Promise<boolean> {
  const result = await db.query('delete from content_draft where key = $1 and id = $2', [key, id]);
  return result.rowCount === 1;
}

export async function insertPicture(
  db: Db,
  picture: { id: string; jpeg: Uint8Array; by: string; now: Date },
): Promise<void> {
  await db.query('insert into content_picture (id, jpeg, added_by, added_at) values ($1, $2, $3, $4)', [
    picture.id,
    Buffer.from(picture.jpeg),
    picture.by,
    picture.now,
  ]);
}

/** Returns how many of these are stored, and locks them against deletion until the transaction ends. */
export async function holdPictures(tx: PoolClient, ids: readonly string[]): Promise<number> {
  const sql = 'select id from content_picture where id = any($1) for key share';
  return (await tx.query(sql, [ids])).rows.length;
}

/** A picture's bytes; undefined when there is none of that id. */
export async function findPicture(db: Db, id: string): Promise<Buffer | undefined> {
  return (await db.query('select jpeg from content_picture where id = $1', [id])).rows[0]?.jpeg;
}

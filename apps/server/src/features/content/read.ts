import type { Language, Variant } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import { cleanContent } from '../../platform/html.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type FileRow, holdFiles, listFiles } from './file-queries.ts';
import { findPicture, insertRevision, lastRevision, lockContent, readBodies, writeBody } from './queries.ts';
import { type Bodies, type ContentKey, isEmpty } from './texts.ts';

export { filmType } from './film.ts';
export { lastRevision as readRevision } from './queries.ts';
export { changeSource } from './sources.ts';
export { type Bodies, bodiesOf, hasShape, shapeOf, textsOf } from './texts.ts';

const EXTENSIONS: Record<FileRow['type'], string> = {
  'image/jpeg': 'jpg',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** The public path of a stored file on this server. */
export const filePath = (file: Pick<FileRow, 'id' | 'type'>): string =>
  `/media/${file.id}.${EXTENSIONS[file.type]}`;

interface StoredFile {
  id: string;
  type: FileRow['type'];
  path: string;
}

const byId = (rows: readonly FileRow[]): Map<string, StoredFile> =>
  new Map(rows.map(({ id, type }) => [id, { id, type, path: filePath({ id, type }) }]));

/** Returns stored files by their id, with type and path; unknown ids are absent. */
export const readFiles = async (db: Db, ids: readonly string[]): Promise<Map<string, StoredFile>> =>
  byId(ids.length > 0 ? await listFiles(db, ids) : []);

/** Locks and returns files that the caller is about to name, so that none is deleted before its transaction ends. */
export const lockFilesById = async (
  tx: PoolClient,
  ids: readonly string[],
): Promise<Map<string, StoredFile>> => byId(ids.length > 0 ? await holdFiles(tx, ids) : []);

/** The public address of a stored picture; null for an unknown id. */
export async function pictureAddress(db: Db, id: string): Promise<string | null> {
  const jpeg = await findPicture(db, id);
  return jpeg ? `data:image/jpeg;base64,${jpeg.toString('base64')}` : null;
}

/**
 * Shows words to members as the next revision of their key, inside the caller's transaction, which locks the key. Throws
 * INVALID_REQUEST with the language in which agreements would be empty: members would accept an empty page.
 * @returns the revision's number and what members had before
 */
export async function publish(
  tx: PoolClient,
  order: {
    key: ContentKey;
    bodies: Partial<Bodies>;
    by: string;
    reason: string | null;
    reverts?: number;
    now: Date;
  },
): Promise<{ revision: number; before: Partial<Bodies> }> {
  const { key, bodies, now } = order;
  const empty = key === 'agreements' && Object.entries(bodies).find(([, body]) => isEmpty(body));
  if (empty) throw new Refusal('INVALID_REQUEST', { field: empty[0] });
  await lockContent(tx, key);
  const before = await readBodies(tx, key);
  const revision = (await lastRevision(tx, key)) + 1;
  for (const [language, body] of Object.entries(bodies)) await writeBody(tx, { key, language, body, now });
  const words = { ...before, ...bodies };
  await insertRevision(tx, { ...order, revision, words, reverts: order.reverts ?? null });
  return { revision, before };
}

const cleaned = new Map<string, unknown>();
const CLEANED_MAX = 100;

/**
 * Returns a content text in a language, or in that of the installation's country where it is empty; null when operators
 * have written neither. Markup is cleaned again on its way out; what was read last is remembered by its text, so that
 * cleaning costs nothing on most calls.
 */
export async function readContent(
  db: Db,
  key: ContentKey,
  language: Language,
  variant: Variant,
): Promise<unknown> {
  const bodies = await readBodies(db, key);
  const body = (isEmpty(bodies[language]) ? bodies[variant] : bodies[language]) ?? null;
  if (key === 'info' || key === 'contact') return body;
  const text = JSON.stringify(body);
  if (!cleaned.has(text)) {
    if (cleaned.size >= CLEANED_MAX) cleaned.clear();
    cleaned.set(text, cleanContent(body));
  }
  return cleaned.get(text);
}

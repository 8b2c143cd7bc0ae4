import { randomBytes } from 'node:crypto';
import { CONTENT_KEYS, content } from '@krapao/contract/operator';
import { actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Uploads } from '../../platform/http/uploads.ts';
import type { Images } from '../../platform/images/images.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ContentRow,
  deleteDraft,
  findDraft,
  findRevision,
  holdPictures,
  insertPicture,
  lastRevision,
  listContent,
  listRevisions,
  lockContent,
  writeDraft,
} from './queries.ts';
import { pictureAddress, publish } from './read.ts';
import { bodiesOf, type ContentKey, type ContentTexts, textsOf } from './texts.ts';

export interface ContentDeps {
  pool: Pool;
  clock: Clock;
  config: Config;
  images: Images;
  uploads: Uploads;
}

const PICTURE_SIDE_MAX = 1_200;

const view = (row: ContentRow) => {
  const key = row.key as ContentKey;
  const draft = row.draft_id && {
    id: row.draft_id,
    savedBy: row.saved_by!,
    savedAt: row.saved_at!.toISOString(),
    words: textsOf(key, row.draft_words!),
  };
  return {
    key,
    revision: row.revision,
    publishedAt: row.published_at?.toISOString() ?? null,
    publishedBy: row.published_by,
    words: textsOf(key, row.words),
    draft: draft || null,
  };
};

/** Whether every picture named is one we keep. */
async function requirePictures(tx: PoolClient, words: ContentTexts): Promise<void> {
  const named = new Set(Object.values(words).flatMap(({ picture }) => picture ?? []));
  if (named.size > 0 && (await holdPictures(tx, [...named])) < named.size)
    throw new Refusal('INVALID_REQUEST', { field: 'picture' });
}

const newMark = (): string => randomBytes(15).toString('base64url');

function draftCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  const { pool, clock } = deps;
  declare(content.saveDraft, async ({ params: { key }, body, actor, refuse }) => {
    const bodies = bodiesOf(key, body.words);
    const id = newMark();
    await inTransaction(pool, async (tx) => {
      await lockContent(tx, key);
      const before = await findDraft(tx, key);
      if ((before?.id ?? null) !== body.after) throw refuse('ROW_CHANGED');
      await requirePictures(tx, body.words);
      const now = clock.now();
      await writeDraft(tx, { key, id, words: bodies, by: actorName(actor), now });
      const auditEntry = {
        action: 'content.draft',
        subject: entityRef('content', key),
        before: before?.words,
        after: bodies,
      };
      await writeAudit(tx, actor, auditEntry, now);
    });
    return { id, words: textsOf(key, bodies) };
  });
  declare(content.discardDraft, async ({ params: { key }, body, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      await lockContent(tx, key);
      const draft = await findDraft(tx, key);
      if (!(await deleteDraft(tx, key, body.draft))) throw refuse('ROW_CHANGED');
      const auditEntry = {
        action: 'content.discard',
        subject: entityRef('content', key),
        before: draft!.words,
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
    });
    return { message: 'OK' };
  });
}

function revisionCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  const { pool, clock } = deps;
  declare(content.publishDraft, async ({ params: { key }, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      await lockContent(tx, key);
      const draft = await findDraft(tx, key);
      if (draft?.id !== body.draft) throw refuse('ROW_CHANGED');
      await deleteDraft(tx, key, draft.id);
      const now = clock.now();
      const order = { key, bodies: draft.words, by: actorName(actor), reason: body.reason, now };
      const { revision, before } = await publish(tx, order);
      const auditEntry = { action: 'content.publish', subject: entityRef('content', key), before };
      await writeAudit(tx, actor, { ...auditEntry, after: draft.words, reason: body.reason }, now);
      return { revision };
    }),
  );
  declare(content.revertContent, async ({ params: { key }, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      await lockContent(tx, key);
      const wanted = await findRevision(tx, key, body.revision);
      if (!wanted) throw refuse('NO_DATA');
      if ((await lastRevision(tx, key)) !== body.now) throw refuse('ROW_CHANGED');
      // Cleaned by the rules of today, whatever they were then.
      const bodies = bodiesOf(key, textsOf(key, wanted.words));
      const now = clock.now();
      const order = { key, bodies, by: actorName(actor), reason: body.reason, reverts: body.revision, now };
      const { revision, before } = await publish(tx, order);
      const auditEntry = {
        action: 'content.revert',
        subject: entityRef('content', key),
        before,
        after: bodies,
      };
      await writeAudit(tx, actor, { ...auditEntry, reason: body.reason }, now);
      return { revision };
    }),
  );
  declare(content.listRevisions, async ({ params: { key } }) => ({
    revisions: (await listRevisions(pool, key)).map((row) => ({
      revision: row.revision,
      publishedAt: row.published_at.toISOString(),
      publishedBy: row.published_by,
      reason: row.reason,
      reverts: row.reverts,
      words: textsOf(key, row.words),
    })),
  }));
}

/** The pictures that some words name, by id. */
async function picturesIn(pool: Pool, rows: readonly ReturnType<typeof view>[]) {
  const words = rows.flatMap((row) => [row.words, ...(row.draft ? [row.draft.words] : [])]);
  const ids = new Set(words.flatMap((of) => Object.values(of).map(({ picture }) => picture)));
  const found = [...ids].flatMap((id) => (id ? [{ id, address: pictureAddress(pool, id) }] : []));
  const known = await Promise.all(found.map(async (row) => ({ id: row.id, address: await row.address })));
  return known.flatMap(({ id, address }) => (address ? [{ id, address }] : []));
}

function pictureCall(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(content.addPicture, async ({ body, actor, refuse }) => {
    const reading = await deps.images.read(Buffer.from(body.picture, 'base64'), actorName(actor));
    const isFit =
      reading.ok && reading.picture.width <= PICTURE_SIDE_MAX && reading.picture.height <= PICTURE_SIDE_MAX;
    if (!isFit) throw refuse('IMAGE_UNPROCESSABLE');
    const id = newMark();
    const now = deps.clock.now();
    await inTransaction(deps.pool, async (tx) => {
      await insertPicture(tx, { id, jpeg: reading.picture.jpeg, by: actorName(actor), now });
      await writeAudit(tx, actor, { action: 'content.picture', subject: 'content:contact' }, now);
    });
    return { id, address: (await pictureAddress(deps.pool, id))! };
  });
}

/** Answers the calls about words that operators write: drafted, looked at, published by revision, brought back. */
export function contentCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(content.listContent, async () => {
    const rows = (await listContent(deps.pool, CONTENT_KEYS)).map(view);
    return { content: rows, pictures: await picturesIn(deps.pool, rows) };
  });
  draftCalls(declare, deps);
  revisionCalls(declare, deps);
  pictureCall(declare, deps);
}

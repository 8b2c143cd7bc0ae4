import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { banners } from '@krapao/contract/operator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorName, writeAudit } from '../../platform/audit.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { BadForm, type Form } from '../../platform/http/form.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type FileRow, findFile, insertFile, readPart } from './file-queries.ts';
import { filmType } from './film.ts';
import type { ContentDeps } from './operator.ts';
import { filePath } from './read.ts';

const MEGABYTE = 1024 * 1024;
const PICTURE_MEGABYTES_MAX = 10;
const FILM_MEGABYTES_MAX = 20;
const PART_BYTES = 512 * 1024;

const invalidFile = (refuse: Refuse<'SLIP_INVALID_FILE'>, limit: number) =>
  refuse('SLIP_INVALID_FILE', { limit });

const PARTS = { fileField: 'file', fields: [], fileBytesMax: FILM_MEGABYTES_MAX * MEGABYTE };

function refuseForm(refuse: Refuse<'SLIP_INVALID_FILE'>, error: unknown): never {
  if (!(error instanceof BadForm)) throw error;
  throw error.tooLarge
    ? invalidFile(refuse, FILM_MEGABYTES_MAX)
    : new Refusal('INVALID_REQUEST', undefined, error.message);
}

function fileOf(refuse: Refuse<'SLIP_NO_FILE'>, form: Form | null): Buffer {
  if (!form?.file || form.file.bytes.length === 0) throw refuse('SLIP_NO_FILE');
  return form.file.bytes;
}

/** The stored form of an upload: a film unchanged, or a picture re-encoded. Throws SLIP_INVALID_FILE for all else. */
async function contentOf(
  refuse: Refuse<'SLIP_INVALID_FILE'>,
  deps: ContentDeps,
  bytes: Buffer,
  uploader: string,
): Promise<{ type: FileRow['type']; content: Uint8Array }> {
  const film = filmType(bytes);
  if (film) return { type: film, content: bytes };
  if (bytes.length > PICTURE_MEGABYTES_MAX * MEGABYTE) throw invalidFile(refuse, PICTURE_MEGABYTES_MAX);
  const reading = await deps.images.read(bytes, uploader);
  if (!reading.ok || reading.picture.format === 'gif') throw invalidFile(refuse, PICTURE_MEGABYTES_MAX);
  return { type: 'image/jpeg', content: reading.picture.jpeg };
}

/** Takes pictures and films for banners and guides. */
export function fileCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(banners.addFile, async ({ request, actor, refuse }) => {
    const uploader = { isGuest: false, key: actorName(actor) };
    const { type, content } = await deps.uploads
      .receive(request, PARTS, uploader, (form) =>
        contentOf(refuse, deps, fileOf(refuse, form), uploader.key),
      )
      .catch((error: unknown) => refuseForm(refuse, error));
    const file = {
      id: randomBytes(15).toString('base64url'),
      type,
      bytes: content.length,
      part_bytes: PART_BYTES,
    };
    const now = deps.clock.now();
    await inTransaction(deps.pool, async (tx) => {
      await insertFile(tx, { ...file, content, by: actorName(actor), now });
      const auditEntry = {
        action: 'content.file',
        subject: entityRef('file', file.id),
        after: { type, bytes: file.bytes },
      };
      await writeAudit(tx, actor, auditEntry, now);
    });
    return { id: file.id, path: filePath(file), type };
  });
}

async function* partsOf(pool: Pool, file: FileRow): AsyncGenerator<Buffer> {
  for (let part = 0; part * file.part_bytes < file.bytes; part++) yield readPart(pool, file.id, part);
}

/** One range of a file (RFC 9110 §14), of limited size: players request the next one themselves. */
async function sendRange(pool: Pool, file: FileRow, range: RegExpExecArray, reply: FastifyReply) {
  const [, first = '', last = ''] = range;
  const start = first === '' ? Math.max(0, file.bytes - Number(last)) : Number(first);
  const wantedEnd = first === '' || last === '' ? file.bytes - 1 : Math.min(Number(last), file.bytes - 1);
  if (start > wantedEnd) return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
  const part = Math.floor(start / file.part_bytes);
  const end = Math.min(wantedEnd, (part + 1) * file.part_bytes - 1);
  const bytes = await readPart(pool, file.id, part);
  const from = start - part * file.part_bytes;
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${file.bytes}`)
    .send(bytes.subarray(from, from + end - start + 1));
}

/**
 * The public path of the files, for callers for whom `admit` does not throw, under names that are never reused: browsers
 * may cache them. A page of another origin may show them too, for builds that are served from elsewhere.
 */
export function mediaRoute(
  app: FastifyInstance,
  pool: Pool,
  admit: (request: FastifyRequest) => unknown = () => undefined,
): void {
  app.get<{ Params: { name: string } }>(
    '/media/:name',
    { schema: { hide: true } as never },
    async (request, reply) => {
      await admit(request);
      const id = request.params.name.replace(/\.\w+$/, '');
      const file = /^[\w-]{20}$/.test(id) ? await findFile(pool, id) : undefined;
      if (!file || filePath(file) !== `/media/${request.params.name}`) throw refuseAny('NO_DATA');
      void reply
        .type(file.type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('accept-ranges', 'bytes');
      const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
      if (range && range[0] !== 'bytes=-') return sendRange(pool, file, range, reply);
      return reply.header('content-length', file.bytes).send(Readable.from(partsOf(pool, file)));
    },
  );
}

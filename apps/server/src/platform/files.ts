import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from './clock.ts';
import { Refusal } from './refusal.ts';
import { type Secrets, sameText } from './secrets.ts';
import type { Settings } from './settings.ts';

/** Files kept for their owners and operators: sealed on the disk, opened only by a signed link that expires. */
export interface Files {
  /** Keeps a JPEG, or an MP4, and answers its key, which nobody can guess. */
  put(bytes: Uint8Array, type?: 'image/jpeg' | 'video/mp4'): Promise<string>;
  /** The bytes; null when nothing is kept under the key. */
  read(key: string): Promise<Buffer | null>;
  /** Forgets; a repeat changes nothing. */
  remove(key: string): Promise<void>;
  /** An address that opens without a header for `file.linkMinutes`. */
  link(key: string): string;
  /** Whether a link is ours and its time is not over. */
  opens(key: string, until: string, sign: string): boolean;
}

export interface FilesDeps {
  config: { dataDir: string };
  secrets: Secrets;
  clock: Clock;
  settings: Settings;
}

const KEY = /^[\w-]{24}(\.mp4)?$/;
const MINUTE_MS = 60_000;

/** Keeps files in a local folder beside the database, away from anything that is served as it is. */
export function createFiles({ config, secrets, clock, settings }: FilesDeps): Files {
  const folderOf = (key: string) => join(config.dataDir, 'files', key.slice(0, 2));
  const pathOf = (key: string) => join(folderOf(key), key);
  const signOf = (key: string, until: string) =>
    secrets.fingerprint('file-link', `${key} ${until}`).toString('base64url');
  return {
    async put(bytes, type = 'image/jpeg') {
      const key = randomBytes(18).toString('base64url') + (type === 'video/mp4' ? '.mp4' : '');
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      const sealed = secrets.encrypt('file', Buffer.from(bytes).toString('base64'));
      await writeFile(`${pathOf(key)}.new`, sealed, { mode: 0o600 });
      await rename(`${pathOf(key)}.new`, pathOf(key));
      return key;
    },
    async read(key) {
      if (!KEY.test(key)) return null;
      const sealed = await readFile(pathOf(key)).catch(() => null);
      return sealed && Buffer.from(secrets.decrypt('file', sealed), 'base64');
    },
    async remove(key) {
      if (KEY.test(key)) await rm(pathOf(key), { force: true });
    },
    link(key) {
      const until = String(clock.now().getTime() + settings.get('file.linkMinutes') * MINUTE_MS);
      return `/api/file/${key}?${new URLSearchParams({ until, sign: signOf(key, until) })}`;
    },
    opens: (key, until, sign) =>
      KEY.test(key) &&
      /^\d{13}$/.test(until) &&
      sameText(signOf(key, until), sign) &&
      Number(until) > clock.now().getTime(),
  };
}

/** A film, or the piece of it that a player asks for (RFC 9110 §14). */
function sendPiece(reply: FastifyReply, bytes: Buffer, wanted: string | undefined) {
  const range = /^bytes=(\d*)-(\d*)$/.exec(wanted ?? '');
  const [, first = '', last = ''] = range ?? [];
  if (!range || (first === '' && last === '')) return reply.send(bytes);
  const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
  if (start > end) return reply.code(416).header('content-range', `bytes */${bytes.length}`).send();
  void reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes.length}`);
  return reply.send(bytes.subarray(start, end + 1));
}

/** Where the links lead. Whatever is wrong with one looks like a missing file. */
export function fileRoute(app: FastifyInstance, files: Files): void {
  app.get<{ Params: { key: string }; Querystring: { until?: string; sign?: string } }>(
    '/api/file/:key',
    { schema: { hide: true } as never },
    async (request, reply) => {
      const { until = '', sign = '' } = request.query;
      const { key } = request.params;
      const bytes = files.opens(key, String(until), String(sign)) ? await files.read(key) : null;
      if (!bytes) throw new Refusal('NO_DATA');
      void reply.header('content-disposition', 'inline').header('x-content-type-options', 'nosniff');
      if (!key.endsWith('.mp4')) return reply.type('image/jpeg').send(bytes);
      return sendPiece(
        reply.type('video/mp4').header('accept-ranges', 'bytes'),
        bytes,
        request.headers.range,
      );
    },
  );
}

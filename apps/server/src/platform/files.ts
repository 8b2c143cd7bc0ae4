import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { MINUTE_MS } from '@krapao/contract/durations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Overloaded } from './budget.ts';
import type { Clock } from './clock.ts';
import { FILE_KEY, type FileStore } from './file-stores/store.ts';
import { refuseAny } from './refuse-any.ts';
import { type Secrets, sameText } from './secrets.ts';
import type { Settings } from './settings.ts';

/** Files stored for their owners and operators: encrypted in their store, opened only by a signed link that expires. */
export interface Files {
  /**
   * Stores a JPEG or MP4 and returns its unguessable key. When it resolves, the file is durable; when it rejects,
   * nothing refers to what the store may hold.
   */
  put(bytes: Uint8Array, type?: 'image/jpeg' | 'video/mp4'): Promise<string>;
  /** The bytes of a picture; null when none is stored under the key. */
  read(key: string): Promise<Buffer | null>;
  /** A film, to be read in ranges; null when none is stored under the key. */
  film(key: string): Promise<Film | null>;
  /** Whether a file is there and was sealed with our SECRET. */
  isOurs(key: string): Promise<boolean>;
  /** Deletes a file; a repeat does nothing. */
  remove(key: string): Promise<void>;
  /** An address that opens without a header for `file.linkMinutes`. */
  link(key: string): string;
  /** Whether a link is ours and its time is not over. */
  opens(key: string, until: string, sign: string): boolean;
}

/** A video is encrypted in chunks, so that reading a short range decrypts only its chunks. */
export interface Film {
  bytes: number;
  /** Returns a chunk by its position from 0; each but the last is CHUNK_BYTES long. */
  chunk(at: number): Promise<Buffer>;
}

export interface FilesDeps {
  store: FileStore;
  secrets: Secrets;
  clock: Clock;
  settings: Settings;
}

const FILM = /^[\w-]{24}\.mp4$/;
const CHUNK_BYTES = 512 * 1024;
/** The header before a film's chunks: its length. */
const HEAD_BYTES = 8;

const sealChunk = (secrets: Secrets, at: number, chunk: Buffer): Buffer =>
  secrets.encrypt(`film ${at}`, chunk.toString('base64'));

/** Its length, then its chunks, each encrypted with its position. */
function sealFilm(secrets: Secrets, bytes: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeBigUInt64BE(BigInt(bytes.length));
  const chunks: Buffer[] = [head];
  for (let at = 0; at * CHUNK_BYTES < bytes.length; at++)
    chunks.push(sealChunk(secrets, at, bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES)));
  return Buffer.concat(chunks);
}

async function openFilm(secrets: Secrets, store: FileStore, key: string): Promise<Film | null> {
  const head = await store.readRange(key, 0, HEAD_BYTES);
  if (head?.length !== HEAD_BYTES) return null;
  const bytes = Number(head.readBigUInt64BE());
  const around = secrets.encrypt('film', '').length;
  /** The size of an encrypted chunk: base64 of the cipher text. */
  const sealedBytes = (plain: number) => around + 4 * Math.ceil(plain / 3);
  return {
    bytes,
    async chunk(at) {
      const plain = Math.min(CHUNK_BYTES, bytes - at * CHUNK_BYTES);
      const from = HEAD_BYTES + at * sealedBytes(CHUNK_BYTES);
      const sealed = await store.readRange(key, from, sealedBytes(plain));
      if (!sealed) throw refuseAny('NO_DATA');
      return Buffer.from(secrets.decrypt(`film ${at}`, sealed), 'base64');
    },
  };
}

/** Seals files with keys derived from SECRET and keeps them in a store. */
export function createFiles({ store, secrets, clock, settings }: FilesDeps): Files {
  const signOf = (key: string, until: string) =>
    secrets.fingerprint('file-link', `${key} ${until}`).toString('base64url');
  const read = async (key: string): Promise<Buffer | null> => {
    if (!FILE_KEY.test(key) || FILM.test(key)) return null;
    const sealed = await store.read(key);
    return sealed && Buffer.from(secrets.decrypt('file', sealed), 'base64');
  };
  return {
    async put(bytes, type = 'image/jpeg') {
      const key = randomBytes(18).toString('base64url') + (type === 'video/mp4' ? '.mp4' : '');
      const sealed =
        type === 'video/mp4'
          ? sealFilm(secrets, Buffer.from(bytes))
          : secrets.encrypt('file', Buffer.from(bytes).toString('base64'));
      await store.put(key, sealed);
      return key;
    },
    read,
    film: (key) => (FILM.test(key) ? openFilm(secrets, store, key) : Promise.resolve(null)),
    async isOurs(key) {
      try {
        const opened = FILM.test(key)
          ? await (await openFilm(secrets, store, key))?.chunk(0)
          : await read(key);
        return opened instanceof Buffer;
      } catch (error) {
        if (error instanceof Overloaded) throw error;
        return false;
      }
    },
    async remove(key) {
      if (FILE_KEY.test(key)) await store.remove(key);
    },
    link(key) {
      const until = String(clock.now().getTime() + settings.get('file.linkMinutes') * MINUTE_MS);
      return `/api/file/${key}?${new URLSearchParams({ until, sign: signOf(key, until) })}`;
    },
    opens: (key, until, sign) =>
      FILE_KEY.test(key) &&
      /^\d{13}$/.test(until) &&
      sameText(signOf(key, until), sign) &&
      Number(until) > clock.now().getTime(),
  };
}

async function* chunksOf(film: Film): AsyncGenerator<Buffer> {
  for (let at = 0; at * CHUNK_BYTES < film.bytes; at++) yield film.chunk(at);
}

/** Sends a video or the requested range of it (RFC 9110 §14), at most one chunk; players request the next one. */
async function sendFilm(reply: FastifyReply, film: Film, wanted: string | undefined) {
  const { bytes } = film;
  const range = /^bytes=(\d*)-(\d*)$/.exec(wanted ?? '');
  const [, first = '', last = ''] = range ?? [];
  void reply.type('video/mp4').header('accept-ranges', 'bytes');
  if (!range || (first === '' && last === ''))
    return reply.header('content-length', bytes).send(Readable.from(chunksOf(film)));
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const wantedEnd = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start > wantedEnd) return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  const at = Math.floor(start / CHUNK_BYTES);
  const from = at * CHUNK_BYTES;
  const end = Math.min(wantedEnd, from + CHUNK_BYTES - 1);
  const chunk = await film.chunk(at);
  void reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`);
  return reply.send(chunk.subarray(start - from, end - from + 1));
}

/**
 * Where the links lead, for callers for whom `admit` does not throw. Whatever is wrong with a link looks like a missing
 * file.
 */
export function fileRoute(
  app: FastifyInstance,
  files: Files,
  admit: (request: FastifyRequest) => unknown,
): void {
  app.get<{ Params: { key: string }; Querystring: { until?: string; sign?: string } }>(
    '/api/file/:key',
    { schema: { hide: true } as never },
    async (request, reply) => {
      await admit(request);
      const { until = '', sign = '' } = request.query;
      const { key } = request.params;
      if (!files.opens(key, String(until), String(sign))) throw refuseAny('NO_DATA');
      void reply.header('content-disposition', 'inline').header('x-content-type-options', 'nosniff');
      const film = await files.film(key);
      if (film) return sendFilm(reply, film, request.headers.range);
      const jpeg = await files.read(key);
      if (!jpeg) throw refuseAny('NO_DATA');
      return reply.type('image/jpeg').send(jpeg);
    },
  );
}

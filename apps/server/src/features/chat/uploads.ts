import { CHAT_IMAGE_EXTENSIONS, CHAT_VIDEO_EXTENSIONS } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Files } from '../../platform/files.ts';
import { BadForm, type Form } from '../../platform/http/form.ts';
import type { Uploader, Uploads } from '../../platform/http/uploads.ts';
import type { Images } from '../../platform/images/images.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { filmType } from '../content/read.ts';
import { insertFile } from './file-queries.ts';

export interface UploadDeps {
  pool: Pool;
  clock: Clock;
  files: Files;
  images: Images;
  /** For pictures of guests, so that they never delay others. */
  guestImages: Images;
  uploads: Uploads;
}

/** Megabytes allowed of each kind; a kind that is not named is not taken. */
interface Limits {
  image?: number;
  video?: number;
}

const MEGABYTE = 1024 * 1024;

/** The type by the file name; the content is checked afterwards. Throws CHAT_FILE_UNSUPPORTED. */
function kindOf(refuse: Refuse<'CHAT_FILE_UNSUPPORTED'>, name: string, limits: Limits): 'image' | 'video' {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (limits.image && CHAT_IMAGE_EXTENSIONS.some((one) => one === extension)) return 'image';
  if (limits.video && CHAT_VIDEO_EXTENSIONS.some((one) => one === extension)) return 'video';
  throw refuse('CHAT_FILE_UNSUPPORTED');
}

function fileOf(refuse: Refuse<'SLIP_NO_FILE'>, form: Form | null) {
  if (!form?.file || form.file.bytes.length === 0) throw refuse('SLIP_NO_FILE');
  return form.file;
}

/** The picture drawn again; throws CHAT_FILE_UNSUPPORTED for what is none, or too many pixels. */
async function pictureOf(
  refuse: Refuse<'CHAT_FILE_UNSUPPORTED'>,
  images: Images,
  bytes: Buffer,
  uploader: string,
): Promise<Uint8Array> {
  const reading = await images.read(bytes, uploader);
  if (!reading.ok) throw refuse('CHAT_FILE_UNSUPPORTED');
  return reading.picture.jpeg;
}

/**
 * Stores the file of a form for an hour, until a message names it; returns a link to it. Detects the type: pictures
 * are re-encoded, films must match their type. `admit` receives the size to be stored and may throw. Throws
 * SLIP_NO_FILE, CHAT_FILE_UNSUPPORTED, CHAT_FILE_TOO_LARGE, and what `Uploads.receive` throws.
 */
export async function receiveFile(
  refuse: Refuse<'CHAT_FILE_UNSUPPORTED' | 'CHAT_FILE_TOO_LARGE' | 'SLIP_NO_FILE'>,
  deps: UploadDeps,
  request: FastifyRequest,
  limits: Limits,
  from: { uploader: Uploader; admit?: (bytes: number) => Promise<void> },
): Promise<{ path: string; kind: 'image' | 'video' }> {
  const most = Math.max(limits.image ?? 0, limits.video ?? 0);
  const parts = { fileField: 'file', fields: [], fileBytesMax: most * MEGABYTE };
  return deps.uploads
    .receive(request, parts, from.uploader, (form) => keep(refuse, deps, fileOf(refuse, form), limits, from))
    .catch((error: unknown) => {
      if (!(error instanceof BadForm)) throw error;
      throw error.tooLarge
        ? refuse('CHAT_FILE_TOO_LARGE', { limit: most })
        : new Refusal('INVALID_REQUEST', undefined, error.message);
    });
}

async function keep(
  refuse: Refuse<'CHAT_FILE_UNSUPPORTED' | 'CHAT_FILE_TOO_LARGE'>,
  deps: UploadDeps,
  { name, bytes }: { name: string; bytes: Buffer },
  limits: Limits,
  { uploader, admit }: Parameters<typeof receiveFile>[4],
): ReturnType<typeof receiveFile> {
  const kind = kindOf(refuse, name, limits);
  const most = limits[kind]!;
  if (bytes.length > most * MEGABYTE) throw refuse('CHAT_FILE_TOO_LARGE', { limit: most });
  if (kind === 'video' && filmType(bytes) !== 'video/mp4') throw refuse('CHAT_FILE_UNSUPPORTED');
  const images = uploader.isGuest ? deps.guestImages : deps.images;
  const stored = kind === 'video' ? bytes : await pictureOf(refuse, images, bytes, uploader.key);
  await admit?.(stored.length);
  const key = await deps.files.put(stored, kind === 'video' ? 'video/mp4' : 'image/jpeg');
  await insertFile(deps.pool, { key, kind, bytes: stored.length, now: deps.clock.now() });
  return { path: deps.files.link(key), kind };
}

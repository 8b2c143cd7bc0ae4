import type { FastifyRequest } from 'fastify';
import type { Budget, Budgets } from '../budget.ts';
import type { FileStore } from '../file-stores/store.ts';
import type { Settings } from '../settings.ts';
import { BadForm, type Form, type FormParts, readForm } from './form.ts';

/** Who uploads: a guest by their network, everybody else by an identity that was checked before the body is read. */
export interface Uploader {
  isGuest: boolean;
  /** Whose uploads count together, such as `member:17` or a network. */
  key: string;
}

/** Receives all uploaded files. */
export interface Uploads {
  /**
   * Reads a form with a file and hands it to `use`; null when the body is no form. Before a byte of the body is read
   * it refuses a form that is too large (BadForm), STORAGE_FULL on a full disk, REQUEST_LIMIT past the uploader's share
   * of memory and Overloaded when no memory is left for uploads. An upload that is too slow is hung up on. Whatever
   * happens, the memory counts as free when `use` has ended.
   */
  receive<T>(
    request: FastifyRequest,
    parts: FormParts,
    uploader: Uploader,
    use: (form: Form | null) => Promise<T>,
  ): Promise<T>;
}

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
/** Boundaries, headers and fields around the file. */
const AROUND_BYTES = 16 * KILOBYTE;
/** What an upload takes of the budget at least: a connection has its price too. */
const RESERVED_LEAST = 256 * KILOBYTE;
const DISK_RETRY_SECONDS = 60;

/** How fast an upload must come, on average after a first while. */
const PACE = {
  graceMs: 10_000,
  everyMs: 1_000,
  guestBytesPerSecond: 32 * KILOBYTE,
  bytesPerSecond: 8 * KILOBYTE,
};

export interface UploadDeps {
  store: Pick<FileStore, 'freeBytes'>;
  settings: Pick<Settings, 'get'>;
  budgets: Pick<Budgets, 'uploads' | 'guestUploads' | 'disk'>;
  pace?: typeof PACE;
}

/** Hangs up on an upload that stays behind its pace; returns the function that stops watching. */
function watchPace({ raw }: FastifyRequest, bytesPerSecond: number, pace: typeof PACE): () => void {
  const { socket } = raw;
  const [startedAt, startedWith] = [performance.now(), socket?.bytesRead ?? 0];
  const timer = setInterval(() => {
    const lateMs = performance.now() - startedAt - pace.graceMs;
    const came = (socket?.bytesRead ?? 0) - startedWith;
    if (!raw.complete && came < (lateMs / 1000) * bytesPerSecond) raw.destroy();
  }, pace.everyMs);
  return () => clearInterval(timer);
}

/** The bytes reserved before a form is read: its length, or the maximum. */
function bytesOf(request: FastifyRequest, { fileBytesMax }: FormParts): number {
  const most = fileBytesMax + AROUND_BYTES;
  const length = Number(request.headers['content-length'] ?? most);
  if (!(length <= most)) throw new BadForm('longer than allowed', true);
  return Math.max(length, RESERVED_LEAST);
}

/** Creates the upload handler. */
export function createUploads({ store, settings, budgets, pace = PACE }: UploadDeps): Uploads {
  return {
    async receive(request, parts, { isGuest, key }, use) {
      if (!request.isMultipart()) return use(null);
      const bytes = bytesOf(request, parts);
      const free = await store.freeBytes();
      if (free !== null && free < settings.get('file.diskFreeMegabytes') * MEGABYTE)
        throw budgets.disk.refuse(DISK_RETRY_SECONDS, 'STORAGE_FULL');
      const budget: Budget = isGuest ? budgets.guestUploads : budgets.uploads;
      const release = budget.take(key, bytes);
      try {
        const stop = watchPace(request, isGuest ? pace.guestBytesPerSecond : pace.bytesPerSecond, pace);
        const form = await readForm(request, parts).finally(stop);
        return await use(form);
      } finally {
        release();
      }
    },
  };
}

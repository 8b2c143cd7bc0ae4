import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/**
 * Writes and waits for room when the sink is full.
 * @throws when the sink fails or is closed meanwhile, as when a download is given up
 */
export async function writeTo(sink: Writable, text: string | Buffer): Promise<void> {
  if (sink.destroyed) throw sink.errored ?? new Error('The receiver is gone.');
  if (sink.write(text)) return;
  const over = new AbortController();
  const { signal } = over;
  const gone = once(sink, 'close', { signal }).then(() => {
    throw sink.errored ?? new Error('The receiver is gone.');
  });
  const pageName = once(sink, 'drain', { signal });
  try {
    await Promise.race([pageName, gone]);
  } finally {
    over.abort();
    // The one that lost ends by the abort.
    await Promise.allSettled([pageName, gone]);
  }
}

/**
 * Writes what `produce` writes into the opened file, and closes it. Returns what `produce` returns.
 * @throws whatever fails, there or at the disk
 */
export async function writePlain<T>(file: FileHandle, produce: (sink: Writable) => Promise<T>): Promise<T> {
  const target = file.createWriteStream();
  const written = finished(target);
  written.catch(() => undefined);
  try {
    const produced = await produce(target);
    target.end();
    await written;
    return produced;
  } catch (error) {
    target.destroy();
    throw error;
  }
}

/**
 * Writes what `produce` writes through gzip into the opened file, and closes it. Returns what `produce` returns.
 * @throws whatever fails, there or at the disk
 */
export async function writeCompressed<T>(
  file: FileHandle,
  produce: (sink: Writable) => Promise<T>,
): Promise<T> {
  const target = file.createWriteStream();
  const gzip = createGzip();
  // A full disk must also end the producer, which would otherwise wait forever for space in the pipe.
  target.once('error', (error) => gzip.destroy(error));
  gzip.pipe(target);
  const written = finished(target);
  const broken = new Promise<never>((_, fail) => gzip.once('error', fail));
  written.catch(() => undefined);
  broken.catch(() => undefined);
  try {
    const produced = await Promise.race([produce(gzip), broken]);
    gzip.end();
    await written;
    return produced;
  } catch (error) {
    target.destroy();
    throw error;
  }
}

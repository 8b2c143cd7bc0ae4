import { once } from 'node:events';
import type { Writable } from 'node:stream';

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

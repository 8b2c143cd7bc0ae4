import type { FastifyReply } from 'fastify';
import type { Budget } from '../budget.ts';

/** A reader that receives nothing for this time, in ms, is disconnected. */
const STALLED_MS = 30_000;
/** A download that is not finished by then is cut off. */
const TOTAL_MS = 300_000;

export interface DownloadLimits {
  stalledMs?: number;
  totalMs?: number;
}

/**
 * Takes a place for a download that lasts until its response has ended, however that happens. A reader who stalls, or
 * takes longer than a download may, is cut off. Throws REQUEST_LIMIT when the caller downloads already, Overloaded
 * when no place is free.
 */
export function beginDownload(
  reply: FastifyReply,
  budget: Budget,
  caller: string,
  { stalledMs = STALLED_MS, totalMs = TOTAL_MS }: DownloadLimits = {},
): void {
  const release = budget.take(caller);
  const { raw } = reply;
  const { socket } = raw;
  let written = socket?.bytesWritten ?? 0;
  const cutOff = () => void raw.destroy();
  // Only a reader with something to take can stall; while none is taken, nothing more is written either.
  const stalled = setInterval(() => {
    const now = socket?.bytesWritten ?? 0;
    if (now === written && raw.writableNeedDrain) cutOff();
    written = now;
  }, stalledMs);
  const total = setTimeout(cutOff, totalMs);
  raw.once('close', () => {
    clearInterval(stalled);
    clearTimeout(total);
    release();
  });
}

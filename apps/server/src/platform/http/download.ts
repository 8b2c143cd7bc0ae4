import type { FastifyReply } from 'fastify';
import type { Budget } from '../budget.ts';

/** A download that is not finished by then is cut off. */
const TOTAL_MS = 300_000;

/**
 * Takes a place for a download that lasts until its response has ended, however that happens. A reader who takes longer
 * than `totalMs` is cut off; one who stalls is disconnected as for any response (stalled-readers.ts). Throws
 * REQUEST_LIMIT when the caller downloads already, Overloaded when no place is free.
 */
export function beginDownload(reply: FastifyReply, budget: Budget, caller: string, totalMs = TOTAL_MS): void {
  const release = budget.take(caller);
  const { raw } = reply;
  const timer = setTimeout(() => void raw.destroy(), totalMs);
  raw.once('close', () => {
    clearTimeout(timer);
    release();
  });
}

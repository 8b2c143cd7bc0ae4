import type { FastifyBaseLogger } from 'fastify';

/** Maximum lines per second of one log, so that a flood of requests cannot fill the disk. */
const LINES_SECOND_MAX = 200;

/** Writes one line to the logger of a request, unless this second has its lines already. */
export type WriteLine = (
  log: FastifyBaseLogger,
  level: 'info' | 'warn' | 'error',
  line: object,
  message: string,
) => void;

/**
 * Creates a log for lines that callers cause. It writes at most 200 a second; a line with `event` `left-out` states how
 * many were not written.
 * @param name the message of that line
 */
export function createBoundedLog(name: string, now: () => number = () => performance.now()): WriteLine {
  let second = -1;
  let lines = 0;
  let left = 0;
  return (log, level, line, message) => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, lines] = [current, 0];
    if (++lines > LINES_SECOND_MAX) {
      left++;
      return;
    }
    if (left > 0) log.warn({ event: 'left-out', lines: left }, name);
    left = 0;
    log[level](line, message);
  };
}

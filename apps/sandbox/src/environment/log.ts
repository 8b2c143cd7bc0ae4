/** The traffic log: every exchange with the product, secrets masked, the newest two thousand in memory. */
import { nowMs } from './clock.ts';
import type { Environment, LogEntry } from './environment.ts';
import { happen } from './happenings.ts';

const KEPT = 2000;
const SECRET = /secret|password|token|authorization|api.?key|x-api|signature|applicationkey/i;

/** A copy with the values of secret-looking names replaced, and one-use tickets cut out of addresses. */
export function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value === 'string') return value.replace(/(ticket=)[^&\s"]+/g, '$1•••');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET.test(name) && (typeof inner === 'string' || typeof inner === 'number') ? '•••' : mask(inner),
    ]),
  );
}

/** Adds one exchange, masked. */
export function writeLog(environment: Environment, entry: Omit<LogEntry, 'seq' | 'at'>): void {
  const { seq } = happen(environment, 'log');
  environment.log.push({
    seq,
    at: new Date(nowMs(environment)).toISOString(),
    ...entry,
    request: mask(entry.request),
    reply: mask(entry.reply),
  });
  if (environment.log.length > KEPT) environment.log.splice(0, environment.log.length - KEPT);
}

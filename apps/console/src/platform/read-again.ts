import type { QueryClient } from '@tanstack/react-query';

/** Events within this time are one reading. */
export const GATHER_MS = 150;

interface ReadAgain {
  /** Marks what is cached under these keys as stale, and reads what of it is shown. */
  (keys: readonly string[]): void;
  /** Reads nothing more. */
  stop(): void;
}

/**
 * Reads keys again after events. A key whose reading is under way is read once more when that has ended, because a new
 * reading cancels the one before: while events come faster than the server answers, none would end.
 */
export function createReadAgain(queries: QueryClient): ReadAgain {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const reading = new Set<string>();
  const stale = new Set<string>();
  let stopped = false;
  const request = (key: string): void => {
    if (stopped || waiting.has(key)) return;
    if (reading.has(key)) stale.add(key);
    else waiting.set(key, setTimeout(read, GATHER_MS, key));
  };
  const read = async (key: string): Promise<void> => {
    waiting.delete(key);
    reading.add(key);
    await queries.invalidateQueries({ queryKey: [key] });
    reading.delete(key);
    if (stale.delete(key)) request(key);
  };
  const readAgain = (keys: readonly string[]): void => {
    for (const key of keys) request(key);
  };
  return Object.assign(readAgain, {
    stop() {
      stopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  });
}

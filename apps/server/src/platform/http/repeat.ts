import { setTimeout as pause } from 'node:timers/promises';
import { isConnectionLost, TAKEOVER_MS } from '../database/away.ts';

/** By then the pool has noticed that its other connections broke too. */
const AGAIN_MS = 50;

/**
 * Runs work again when its connection to the database broke, until a standby has had the time to take over. Only for work
 * that may be done twice: it reads, or decides once under a key.
 */
export async function repeatWhenLost<T>(work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() - from > TAKEOVER_MS) throw error;
      await pause(AGAIN_MS);
    }
  }
}

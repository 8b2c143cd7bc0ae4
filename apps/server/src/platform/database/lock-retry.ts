/** The ledger's writer lock: while it is held no batch is under way, so a change of the schema and a batch cannot deadlock. */
export const LEDGER_LOCK = 4711;
/** How long a schema change waits for a table lock before it rolls back, lets others through and starts again. */
export const LOCK_TIMEOUT = '2s';

const LOCK_TRIES = 30;
const AGAIN_MS = 200;
/** Deadlock and lock time-out. */
const LOCK_CODES = new Set(['40P01', '55P03']);

/**
 * Runs a transaction again when it was rolled back because others held a lock for too long, up to 30 times.
 * @throws what the transaction threw otherwise, or the last time
 */
export async function retryOnLocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!LOCK_CODES.has(String((error as { code?: unknown }).code)) || tries === LOCK_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, AGAIN_MS));
    }
  }
}

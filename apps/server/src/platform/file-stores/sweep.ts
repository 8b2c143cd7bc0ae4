import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import type { Clock } from '../clock.ts';
import type { Pool } from '../database/db.ts';
import type { Files } from '../files.ts';
import type { JobSet } from '../jobs.ts';
import { FILE_KEY, type FileStore } from './store.ts';

/** A file is stored before its row is committed; by then the row is there or never will be. */
const ROW_WITHIN_MS = DAY_MS;
const BATCH = 1_000;
/** The most files that one run deletes. */
const DELETED_MAX = 500;
/** What keys begin with. Each run takes one of them, so that a large store is listed within three days. */
const BEGINNINGS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export interface FileSweepDeps {
  pool: Pool;
  store: FileStore;
  files: Pick<Files, 'isOurs'>;
  clock: Clock;
}

/** The keys that no slip, chat file or identity document names; none while the database may lack rows, as after a restore. */
async function withoutRow(pool: Pool, keys: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query(
    `select k.key from unnest($1::text[]) k(key)
     where payouts_are_open() and not exists (select from slip where file = k.key)
       and not exists (select from chat_file c where c.key = k.key)
       and not exists (select from kyc_document d where d.file = k.key)`,
    [keys],
  );
  return rows.map(({ key }) => key!);
}

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    if (FILE_KEY.test(key)) batch.push(key);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

/**
 * Deletes files whose keys begin with a character, that are older than 24 h and that no row names: an upload that was
 * given up after the store had taken it, or whose transaction was never committed. Only what is sealed with our SECRET is
 * deleted, so that two installations may share a bucket. Returns how many.
 */
export async function sweepFiles(deps: FileSweepDeps, beginning: string): Promise<number> {
  const before = deps.clock.now().getTime() - ROW_WITHIN_MS;
  let deleted = 0;
  for await (const batch of inBatches(deps.store.keys(beginning))) {
    for (const key of await withoutRow(deps.pool, batch)) {
      const storedAt = await deps.store.storedAt(key);
      if (!storedAt || storedAt.getTime() > before || !(await deps.files.isOurs(key))) continue;
      await deps.store.remove(key);
      if (++deleted === DELETED_MAX) return deleted;
    }
  }
  return deleted;
}

/** The job that deletes files without a row, a part of the store every hour, and once a day what cut writes have left. */
export const fileJobs = (deps: FileSweepDeps): JobSet => ({
  tasks: {
    'files.sweep': async () => {
      const hour = Math.floor(deps.clock.now().getTime() / HOUR_MS);
      await sweepFiles(deps, BEGINNINGS[hour % BEGINNINGS.length]!);
      if (hour % 24 === 0) await deps.store.removeCutWrites?.(new Date(deps.clock.now().getTime() - DAY_MS));
    },
  },
  everyMinute: [],
  everyHour: ['files.sweep'],
});

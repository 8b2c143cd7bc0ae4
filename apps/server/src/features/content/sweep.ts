import { DAY_MS } from '@krapao/contract/durations';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { deleteUploads, lockUnused, markUnused, stillUnused, type UploadTable } from './sweep-queries.ts';

/** Long enough to finish what it was uploaded for, and for screens that show what another took the place of. */
const KEPT_MS = DAY_MS;
const TABLES: readonly UploadTable[] = ['content_file', 'content_picture'];

/**
 * Deletes operators' pictures and films a day after they were found unused. A file that is used again meanwhile
 * stays: the check is repeated under a lock that every use of a file takes too.
 */
export function uploadJobs({ pool, clock }: { pool: Pool; clock: Clock }): JobSet {
  const sweep = async (table: UploadTable): Promise<void> => {
    const now = clock.now();
    await markUnused(pool, table, now);
    await inTransaction(pool, async (tx) => {
      const due = await lockUnused(tx, table, new Date(now.getTime() - KEPT_MS));
      if (due.length > 0) await deleteUploads(tx, table, await stillUnused(tx, due));
    });
  };
  return {
    tasks: {
      'uploads.sweep': async () => {
        for (const table of TABLES) await sweep(table);
      },
    },
    everyMinute: [],
    everyHour: ['uploads.sweep'],
  };
}

import { afterAll, expect, test } from 'vitest';
import { createPool } from '../platform/database/connect.ts';
import { testDatabase } from '../platform/database/testing.ts';
import { addJob, startJobs } from '../platform/jobs.ts';
import { until } from '../testing/test-env.ts';
import { openFaultyConnection } from './fixtures/faulty-connection.ts';
import { databaseUrlOf } from './fixtures/server.ts';

const database = await testDatabase();
const connection = await openFaultyConnection(await databaseUrlOf(database.app));
const pool = createPool(
  { connectionString: connection.url, options: '-c role=krapao_app' },
  { max: 8, applicationName: 'jobs', statementTimeoutMs: 5000, log: () => undefined },
);

const ran: string[] = [];
let onBoth: () => void = () => undefined;
const both = new Promise<void>((done) => {
  onBoth = done;
});
/** Ends a job at the moment its line to the database is gone, once for each way a job can end. */
async function cutWhenBothRun(name: string): Promise<void> {
  const isFirst = !ran.includes(name);
  ran.push(name);
  if (!isFirst) return;
  if (ran.length === 2) {
    await connection.cut();
    onBoth();
  }
  await both;
}
const jobs = await startJobs(
  pool,
  [
    {
      tasks: {
        'test.good': () => cutWhenBothRun('good'),
        'test.bad': async () => {
          await cutWhenBothRun('bad');
          if (ran.filter((name) => name === 'bad').length === 1) throw new Error('as configured');
        },
        'test.after': async () => void ran.push('after'),
      },
      everyMinute: [],
    },
  ],
  () => undefined,
);
afterAll(async () => {
  await jobs.stop();
  await pool.end();
  await connection.close();
});

const waiting = async (): Promise<number> =>
  (
    await database.owner.query(
      "select count(*)::int as n from graphile_worker.jobs where task_identifier like 'test.%'",
    )
  ).rows[0].n;

const sessions = async (): Promise<number> =>
  (
    await database.owner.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'jobs'",
    )
  ).rows[0].n;

// An outcome that is not awaited rejects as an unhandled error, which fails this file too.
test('a line that breaks as jobs end takes neither the process nor the jobs with it', async () => {
  await addJob(database.owner, 'test.good', {});
  await addJob(database.owner, 'test.bad', {});
  await both;
  // A session without its connection still executes what had reached it: it could take the next job, which would not run.
  await until(async () => (await sessions()) === 0);
  await connection.mend();
  await addJob(database.owner, 'test.after', {});
  await until(async () => ran.includes('after'));
  // The good one is over; the bad one waits for its next try, or has had it.
  await until(async () => (await waiting()) <= 1);
  expect(ran.filter((name) => name === 'good')).toHaveLength(1);
});

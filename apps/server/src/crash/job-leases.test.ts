import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPool } from '../platform/database/connect.ts';
import { testDatabase } from '../platform/database/testing.ts';
import { addJob, startJobs } from '../platform/jobs.ts';
import { until } from '../testing/test-env.ts';
import { openFaultyConnection } from './fixtures/faulty-connection.ts';
import { BARE_ENVIRONMENT, databaseUrlOf } from './fixtures/server.ts';

const { app: pool, owner, config } = await testDatabase();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process that has begun a job of this name and will not end it. */
async function beginJob(name: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'fixtures/start-job.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(config.app), name], {
    env: BARE_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await addJob(pool, name, {});
  await once(child.stdout, 'data');
  return child;
}

test('a job of a worker that was killed runs on another; one of a worker that lives does not', async () => {
  const killed = await beginJob('of-killed');
  await beginJob('of-living');
  const runs: string[] = [];
  const run = (name: string) => async () => {
    runs.push(name);
  };
  const tasks = { 'of-killed': run('of-killed'), 'of-living': run('of-living'), later: run('later') };
  const errors: unknown[] = [];
  const jobs = await startJobs(pool, [{ tasks, everyMinute: [] }], (error) => errors.push(error));
  try {
    // A broken line is not the end of a worker: its lease is taken again before the third look.
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'krapao jobs listen' and datname = current_database()`,
    );
    killed.kill('SIGKILL');
    await until(async () => runs.includes('of-killed'));
    // The look that gave back one job would have given back the other, which would start before this one.
    await addJob(pool, 'later', {});
    await until(async () => runs.includes('later'));
    expect(runs).toEqual(['of-killed', 'later']);
    expect(errors).toEqual([]);
  } finally {
    await jobs.stop();
  }
});

test('a worker whose connections the database lost without a word holds its lease again: its job does not run twice', async () => {
  const connection = await openFaultyConnection(await databaseUrlOf(pool));
  const far = createPool(
    { connectionString: connection.url, options: '-c role=krapao_app' },
    { max: 8, applicationName: 'far', statementTimeoutMs: 5000, log: () => undefined },
  );
  const started: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((done) => {
    finish = done;
  });
  const begin = (worker: string) => async () => {
    started.push(worker);
    await finished;
  };
  const worker = (db: typeof pool, name: string) =>
    startJobs(db, [{ tasks: { long: begin(name) }, everyMinute: [] }], () => undefined);
  const stranded = await worker(far, 'stranded');
  await addJob(pool, 'long', {});
  await until(async () => started.length === 1);
  const other = await worker(pool, 'other');
  try {
    connection.loseFarSide();
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'far%' and datname = current_database()",
    );
    await addJob(pool, 'orphan', {});
    await owner.query(
      `update graphile_worker._private_jobs j set locked_by = 'ended', locked_at = now()
       from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'orphan'`,
    );
    await until(
      async () =>
        (
          await owner.query(
            "select 1 from graphile_worker.jobs where task_identifier = 'orphan' and locked_by is null",
          )
        ).rows.length === 1,
    );
    expect(started).toEqual(['stranded']);
  } finally {
    finish();
    await connection.mend();
    await Promise.all([stranded.stop(), other.stop()]);
    await far.end();
    await connection.close();
  }
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../platform/database/testing.ts';
import { addJob, startJobs } from '../platform/jobs.ts';
import { until } from '../testing/test-env.ts';
import { BARE_ENVIRONMENT } from './fixtures/server.ts';

const { app: pool, config } = await testDatabase();
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
    // A broken line is not the end of a worker: its lease is taken again before the second look.
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'krapao jobs listen' and datname = current_database()`,
    );
    killed.kill('SIGKILL');
    await until(async () => runs.includes('of-killed'));
    // Two looks later.
    await addJob(pool, 'later', {}, { inMs: 12_000 });
    await until(async () => runs.includes('later'));
    expect(runs).toEqual(['of-killed', 'later']);
    expect(errors).toEqual([]);
  } finally {
    await jobs.stop();
  }
});

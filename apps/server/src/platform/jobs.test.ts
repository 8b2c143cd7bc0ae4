import type { Pool } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { until } from '../testing/test-env.ts';
import { testDatabase } from './database/testing.ts';
import { addJob, addSweptJob, cronItems, startJobs, sweepFailedJobs } from './jobs.ts';

const { app: pool, owner } = await testDatabase();
await owner.query('create table intent (id bigserial primary key)');
await owner.query('grant select, insert on intent to krapao_app; grant usage on intent_id_seq to krapao_app');

let seen = 0;
const tasks = {
  'intents.read': async () => {
    const { rows } = await pool.query('select count(*) from intent');
    seen = Math.max(seen, Number(rows[0]?.count));
  },
};
const errors: unknown[] = [];
const jobs = await startJobs(pool, [{ tasks, everyMinute: [] }], (error) => errors.push(error));
afterAll(() => jobs.stop());

/** One row and the job that reads it, in one transaction. */
async function intent(from: Pool): Promise<void> {
  const client = await from.connect();
  try {
    await client.query('begin');
    await client.query('insert into intent default values');
    await addJob(client, 'intents.read', {}, { key: 'intents.read' });
    await client.query('commit');
  } finally {
    client.release();
  }
}

test('a job under one key sees what every transaction brought that added it, also one that raced with its start', async () => {
  for (let round = 1; round <= 40; round++) {
    await Promise.all(Array.from({ length: 5 }, () => intent(owner)));
    await until(async () => seen === round * 5);
  }
  expect(errors).toEqual([]);
});

test('a task of every minute or hour has one try and one place: the next time is its repeat', async () => {
  const failing = async () => {
    throw new Error('always');
  };
  const sets = [
    { tasks: { often: failing, seldom: failing }, everyMinute: ['often'], everyHour: ['seldom'] },
  ];
  expect(cronItems(sets)).toEqual([
    {
      task: 'often',
      match: '* * * * *',
      options: { maxAttempts: 1, jobKey: 'often', jobKeyMode: 'replace' },
    },
    {
      task: 'seldom',
      match: '17 * * * *',
      options: { maxAttempts: 1, jobKey: 'seldom', jobKeyMode: 'replace' },
    },
  ]);
});

test('jobs that failed for the last time are deleted after a week, and no others', async () => {
  const add = (key: string) => addJob(pool, 'never-run', {}, { key });
  for (const key of ['failed-long-ago', 'failed-lately', 'to-be-tried']) await add(key);
  await owner.query(`update graphile_worker._private_jobs set attempts = case when key = 'to-be-tried' then 1 else max_attempts end,
    updated_at = now() - case when key = 'failed-lately' then interval '6 days' else interval '8 days' end where key is not null`);
  await sweepFailedJobs(pool, 10);
  const { rows } = await owner.query(
    'select key from graphile_worker._private_jobs where key is not null order by 1',
  );
  expect(rows.map(({ key }) => key)).toEqual(['failed-lately', 'to-be-tried']);
  await owner.query('delete from graphile_worker._private_jobs');
});

test('a job that fails each time is run once by each sweep that adds it, and leaves no copy', async () => {
  let runs = 0;
  const failing = async () => {
    runs++;
    throw new Error('always');
  };
  const sets = [{ tasks: { 'swept.check': failing }, everyMinute: [] }];
  const own = await startJobs(pool, sets, () => undefined);
  const open =
    "select attempts, max_attempts from graphile_worker.jobs where task_identifier = 'swept.check' and (locked_at is not null or attempts < max_attempts)";
  for (let sweep = 1; sweep <= 3; sweep++) {
    await addSweptJob(pool, 'swept.check', {}, 'swept.check:1');
    await expect.poll(() => runs).toBe(sweep);
    await expect.poll(async () => (await owner.query(open)).rows).toEqual([]);
  }
  await own.stop();
  await owner.query('delete from graphile_worker._private_jobs');
});

test('jobs that wait for a partner who does not answer delay no job of another partner, nor of none', async () => {
  let respond: () => void = () => undefined;
  const silence = new Promise<void>((resolve) => {
    respond = resolve;
  });
  let waiting = 0;
  const done: string[] = [];
  const add = (name: string) => async () => {
    done.push(name);
  };
  const slow = async () => {
    waiting++;
    await silence;
  };
  const several = await startJobs(
    pool,
    [
      { partner: 'slips', tasks: { slow }, everyMinute: [] },
      { partner: 'games', tasks: { game: add('game') }, everyMinute: [] },
      { tasks: { own: add('own') }, everyMinute: [] },
    ],
    (error) => errors.push(error),
  );
  for (let job = 0; job < 20; job++) await addJob(pool, 'slow', {});
  await until(async () => waiting > 1);
  await addJob(pool, 'game', {});
  await addJob(pool, 'own', {});
  await until(async () => done.length === 2);
  expect(waiting).toBeLessThan(20);
  respond();
  await until(async () => waiting === 20);
  await several.stop();
  expect(errors).toEqual([]);
});

import type { Pool } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { until } from '../testing/test-env.ts';
import { testDatabase } from './database/testing.ts';
import { addJob, startJobs } from './jobs.ts';

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

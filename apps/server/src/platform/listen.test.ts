import { expect, test } from 'vitest';
import { until } from '../testing/town.ts';
import { createPool } from './database/connect.ts';
import { testDatabase } from './database/testing.ts';
import { listen, returningBroken } from './listen.ts';

const database = await testDatabase();

const breakAll = (name: string) =>
  database.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    name,
  ]);

const poolNamed = (applicationName: string) =>
  createPool(database.config.owner, {
    max: 2,
    applicationName,
    statementTimeoutMs: 5000,
    log: () => undefined,
  });

test('a listener hears again after its connection broke, says that it missed something, and keeps one connection', async () => {
  const pool = poolNamed('listener');
  const heard: string[] = [];
  let missed = 0;
  const listener = listen(
    pool,
    'news',
    (payload) => heard.push(payload),
    () => {
      missed++;
    },
  );
  const say = async (text: string) => {
    await until(async () => {
      await database.owner.query('select pg_notify($1, $2)', ['news', text]);
      return heard.includes(text);
    });
  };
  await say('one');
  for (let time = 1; time <= 4; time++) {
    await breakAll('listener');
    await until(async () => missed === time);
    await say(`after ${time}`);
  }
  expect(pool.totalCount).toBe(1);
  await listener.stop();
  await pool.end();
});

test('a connection lent to a library that forgets it comes back to the pool when it breaks', async () => {
  const pool = poolNamed('forgetful');
  for (let time = 0; time < 5; time++) {
    const client = await returningBroken(pool).connect();
    client.on('error', () => undefined);
    await breakAll('forgetful');
    await until(async () => pool.totalCount === 0);
    client.release();
  }
  const client = await returningBroken(pool).connect();
  client.release();
  expect(pool.idleCount).toBe(1);
  await pool.end();
});

import { expect, test } from 'vitest';
import { until } from '../testing/test-env.ts';
import { createPool } from './database/connect.ts';
import { testDatabase } from './database/testing.ts';
import { listen } from './listen.ts';

const database = await testDatabase();

const disconnectAll = (name: string) =>
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

test('a listener receives again after its connection broke, reports the gap, and takes no connection of the pool', async () => {
  const pool = poolNamed('listener');
  const received: string[] = [];
  let missed = 0;
  const listener = listen(
    pool,
    'news',
    (payload) => received.push(payload),
    () => {
      missed++;
    },
  );
  const say = async (text: string) => {
    await until(async () => {
      await database.owner.query('select pg_notify($1, $2)', ['news', text]);
      return received.includes(text);
    });
  };
  await say('one');
  for (let time = 1; time <= 4; time++) {
    await disconnectAll('listener listen');
    await until(async () => missed === time);
    await say(`after ${time}`);
  }
  expect(pool.totalCount).toBe(0);
  await listener.stop();
  await pool.end();
});

test('channels share one connection, which takes no place in the pool', async () => {
  const pool = poolNamed('shared');
  const lent = [await pool.connect(), await pool.connect()];
  const received: string[] = [];
  const listeners = ['first', 'second', 'third'].map((channel) =>
    listen(pool, channel, (payload) => received.push(`${channel} ${payload}`)),
  );
  await until(async () => listeners.every((listener) => listener.isHearing()));
  const { rows } = await database.owner.query(
    "select count(*)::int as count from pg_stat_activity where application_name like 'shared%'",
  );
  expect(rows).toEqual([{ count: 3 }]);
  await listeners[0]!.stop();
  for (const channel of ['first', 'second', 'third'])
    await database.owner.query('select pg_notify($1, $2)', [channel, 'x']);
  await until(async () => received.length === 2);
  expect(received.toSorted()).toEqual(['second x', 'third x']);
  await Promise.all(listeners.map((listener) => listener.stop()));
  await until(
    async () =>
      (await database.owner.query("select 1 from pg_stat_activity where application_name = 'shared listen'"))
        .rows.length === 0,
  );
  for (const client of lent) client.release();
  await pool.end();
});

test('a failing handler does not prevent the others from receiving a notice', async () => {
  const pool = poolNamed('failing');
  const received: string[] = [];
  const failing = listen(pool, 'news', () => {
    throw new Error('as configured');
  });
  const good = listen(pool, 'news', (payload) => received.push(payload));
  await until(async () => failing.isHearing() && good.isHearing());
  await database.owner.query("select pg_notify('news', 'x')");
  await until(async () => received.length === 1);
  await Promise.all([failing.stop(), good.stop()]);
  await pool.end();
});

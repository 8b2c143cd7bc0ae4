import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from './testing.ts';
import { TEST_SERVER_VARIABLE } from './testing-server.ts';

const { owner, app, name } = await testDatabase();

test('BIGINT and BIGINT[] arrive as bigint, NUMERIC as text', async () => {
  const { rows } = await app.query(
    `select 9007199254740993::bigint as one, array[1, null, -9223372036854775808]::bigint[] as many,
       '{}'::bigint[] as none, 1.50::numeric as exact, $1::bigint as given`,
    [9_007_199_254_740_995n],
  );
  expect(rows[0]).toEqual({
    one: 9_007_199_254_740_993n,
    many: [1n, null, -9_223_372_036_854_775_808n],
    none: [],
    exact: '1.50',
    given: 9_007_199_254_740_995n,
  });
});

test('the pools act as their roles, and the app role creates nothing', async () => {
  expect((await owner.query('select current_user')).rows[0].current_user).toBe('krapao_owner');
  expect((await app.query('select current_user')).rows[0].current_user).toBe('krapao_app');
  await expect(app.query('create table public.mine (id int)')).rejects.toThrow('permission denied');
  await expect(app.query('create schema mine')).rejects.toThrow('permission denied');
});

test('a pool outlives its connections being cut, idle or lent out', async () => {
  const lent = await app.connect();
  await app.query('select 1');
  expect(app.idleCount).toBe(1);
  // Told in either order; until then the pool cannot know that its idle connection is gone.
  const bothTold = Promise.all([
    new Promise((told) => lent.once('end', told)),
    new Promise((told) => app.once('error', told)),
  ]);
  const admin = new pg.Client(JSON.parse(process.env[TEST_SERVER_VARIABLE] ?? '').admin);
  await admin.connect();
  const cut =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2';
  await admin.query(cut, [name, 'test app']);
  await admin.end();
  await bothTold;
  lent.release(true);
  expect((await app.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a transaction that nobody goes on with is ended by the server', async () => {
  const { rows } = await app.query(
    "select current_setting('idle_in_transaction_session_timeout') as setting",
  );
  expect(rows).toEqual([{ setting: '30s' }]);
});

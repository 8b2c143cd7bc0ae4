import pg from 'pg';
import { expect, test } from 'vitest';
import { createPool } from './connect.ts';
import { testDatabase } from './testing.ts';
import { TEST_SERVER_VARIABLE } from './testing-server.ts';

const { owner, app, name, config } = await testDatabase();

async function admin(sql: string): Promise<void> {
  const client = new pg.Client(JSON.parse(process.env[TEST_SERVER_VARIABLE] ?? '').admin);
  await client.connect();
  await client.query(sql);
  await client.end();
}

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

test.each([
  "select set_config('role', 'krapao_owner', false)",
  'set role krapao_owner',
  'alter table ledger_entry disable trigger all',
  'delete from ledger_entry',
  'update ledger_account set balance = 0',
])('the app role cannot become the owner nor change the ledger: %s', async (sql) => {
  await expect(app.query(sql)).rejects.toThrow(/permission denied|must be owner/);
});

test('a connection whose server takes no writes any more is thrown away, and none such is taken again', async () => {
  const settings = { max: 1, applicationName: 'test primary', statementTimeoutMs: 5_000 };
  const pool = createPool(config.app, settings);
  const write = () => pool.query("select pg_notify('nobody', ''), txid_current()");
  const inside = async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select nextval($1)', ['ledger_entry_id']);
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const backend = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  await owner.query(`grant usage on sequence ledger_entry_id to krapao_app`);
  try {
    const first = await backend();
    await pool.query('set default_transaction_read_only = on');
    expect(await backend()).toBe(first);
    await expect(inside()).rejects.toMatchObject({ code: '25006' });
    expect(await backend()).not.toBe(first);
    await inside();

    await admin(`alter role krapao_app in database ${name} set default_transaction_read_only = on`);
    await admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test primary'`,
    );
    await expect.poll(() => write().catch(({ code }) => code)).toBe('25006');
    await admin(`alter role krapao_app in database ${name} reset default_transaction_read_only`);
    await write();
  } finally {
    await pool.end();
  }
});

test('no statement is compiled, whatever the database sets', async () => {
  await admin(`alter database ${name} set jit = on`);
  const settings = { max: 1, applicationName: 'test jit', statementTimeoutMs: 5_000 };
  try {
    for (const isStandby of [false, true]) {
      const pool = createPool(config.app, { ...settings, isStandby });
      try {
        // A pool to a standby gives up a slow connection after 2 s.
        const show = () =>
          pool.query('show jit').then(
            ({ rows }) => rows[0].jit,
            () => 'no connection',
          );
        await expect.poll(show).toBe('off');
      } finally {
        await pool.end();
      }
    }
  } finally {
    await admin(`alter database ${name} reset jit`);
  }
});

test('a pool outlives its connections being cut, idle or lent out', async () => {
  const lent = await app.connect();
  await app.query('select 1');
  expect(app.idleCount).toBe(1);
  // Told in either order; until then the pool cannot know that its idle connection is gone.
  const bothEvents = Promise.all([
    new Promise((resolve) => lent.once('end', resolve)),
    new Promise((resolve) => app.once('error', resolve)),
  ]);
  const admin = new pg.Client(JSON.parse(process.env[TEST_SERVER_VARIABLE] ?? '').admin);
  await admin.connect();
  const cut =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2';
  await admin.query(cut, [name, 'test app']);
  await admin.end();
  await bothEvents;
  lent.release(true);
  expect((await app.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a transaction that nobody goes on with is ended by the server', async () => {
  const { rows } = await app.query(
    "select current_setting('idle_in_transaction_session_timeout') as setting",
  );
  expect(rows).toEqual([{ setting: '30s' }]);
});

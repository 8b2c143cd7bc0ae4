import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseFor } from './connect.ts';
import { type External, hasPostgres15, startPostgres15 } from './fixtures/external.ts';
import { migrate } from './migrate.ts';

if (!hasPostgres15) {
  console.warn(
    "SKIPPED: DATABASE_URL against PostgreSQL 15. Install Debian's postgresql-15 to run these tests.",
  );
}

describe.skipIf(!hasPostgres15)('a PostgreSQL 15 of your own', () => {
  let server: External;

  beforeAll(async () => {
    server = await startPostgres15();
  });
  afterAll(() => server.stop());

  async function database(name: string, role: string): Promise<string> {
    await server.ask(`create role ${name} login ${role}`);
    await server.ask(`create database ${name} owner ${name}`);
    return server.url(name, name);
  }

  async function ownersIn(name: string): Promise<unknown[]> {
    const sql = `select distinct tableowner from pg_tables where schemaname in ('public', 'graphile_worker')`;
    return (await server.ask(sql, name)).map((row) => row.tableowner);
  }

  async function asApp(config: pg.PoolConfig, sql: string): Promise<unknown> {
    const client = new pg.Client(config);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  test('a user who may create roles gets both, and every table belongs to the owner role', async () => {
    const { owner, app } = await databaseFor({
      dataDir: '',
      databaseUrl: await database('maker', 'createrole'),
    });
    expect((await migrate(owner)).length).toBeGreaterThan(0);
    expect(await ownersIn('maker')).toEqual(['krapao_owner']);
    expect(await asApp(app, 'select current_user::text as me')).toEqual([{ me: 'krapao_app' }]);
    await expect(asApp(app, 'create table mine (id int)')).rejects.toThrow('permission denied');
    await expect(asApp(app, 'select * from graphile_worker._private_jobs')).resolves.toEqual([]);
  });

  test('a superuser works too, and even its app connections obey the app role', async () => {
    await server.ask('create database super');
    const { owner, app } = await databaseFor({ dataDir: '', databaseUrl: server.url('admin', 'super') });
    await migrate(owner);
    expect(await ownersIn('super')).toEqual(['krapao_owner']);
    await expect(asApp(app, 'create table mine (id int)')).rejects.toThrow('permission denied');
  });

  test('options in the address are kept beside the role', async () => {
    const url = `${server.url('admin', 'super')}?options=${encodeURIComponent('-c work_mem=7MB')}`;
    const { app } = await databaseFor({ dataDir: '', databaseUrl: url });
    const sql = "select current_user::text as me, current_setting('work_mem') as memory";
    expect(await asApp(app, sql)).toEqual([{ me: 'krapao_app', memory: '7MB' }]);
  });

  test('a user granted the roles by an administrator needs no right to create them', async () => {
    const url = await database('granted', 'nocreaterole');
    await server.ask('grant krapao_owner, krapao_app to granted');
    const { owner } = await databaseFor({ dataDir: '', databaseUrl: url });
    await migrate(owner);
    expect(await ownersIn('granted')).toEqual(['krapao_owner']);
  });

  test('a user who may not create roles is told which statements an administrator must run', async () => {
    const url = await database('poor', 'nocreaterole');
    const attempt = databaseFor({ dataDir: '', databaseUrl: url });
    await expect(attempt).rejects.toThrow(/administrator run: .*GRANT krapao_owner, krapao_app TO/);
  });

  test('an address where nobody answers fails with the reason', async () => {
    const attempt = databaseFor({ dataDir: '', databaseUrl: 'postgres://x@127.0.0.1:1/x' });
    await expect(attempt).rejects.toThrow('ECONNREFUSED');
  });
});

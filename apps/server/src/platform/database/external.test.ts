import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../admin/run.ts';
import { databaseFor } from './connect.ts';
import { createDatabase } from './create.ts';
import { type External, hasPostgres15, startExternal } from './fixtures/external.ts';
import { migrate } from './migrate.ts';

if (!hasPostgres15) {
  console.warn(
    "SKIPPED: DATABASE_URL against PostgreSQL 15. Install Debian's postgresql-15 to run these tests.",
  );
}

const versions = hasPostgres15 ? ([15, 'packaged'] as const) : (['packaged'] as const);

async function as(config: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.each(versions)('a PostgreSQL of your own, version %s', (version) => {
  let server: External;

  beforeAll(async () => {
    server = await startExternal(version);
    await server.request('create role maker login createrole createdb');
    await createDatabase(server.url('maker', 'postgres'), 'krapao');
  });
  afterAll(() => server.stop());

  const open = (owner = 'krapao_owner', app = 'krapao_app', database = 'krapao') =>
    databaseFor({
      dataDir: '',
      databaseUrl: server.url(owner, database),
      databaseAppUrl: server.url(app, database),
    });

  async function ownersIn(name: string): Promise<unknown[]> {
    const sql = `select distinct tableowner from pg_tables where schemaname in ('public', 'graphile_worker')`;
    return (await server.request(sql, name)).map((row) => row.tableowner);
  }

  test('a user who may create roles, no superuser, makes logins and database; every table is the owner role’s', async () => {
    const { owner, app, direct } = await open();
    await migrate(owner);
    expect(await ownersIn('krapao')).toEqual(['krapao_owner']);
    const who = 'select session_user::text as login, current_user::text as me';
    expect(await as(app, who)).toEqual([{ login: 'krapao_app', me: 'krapao_app' }]);
    expect(await as(direct, who)).toEqual([{ login: 'krapao_app', me: 'krapao_app' }]);
    await expect(as(app, 'select * from graphile_worker._private_jobs')).resolves.toEqual([]);
  });

  test('the command prints both settings, and a repeat keeps passwords and data', async () => {
    const output: string[] = [];
    const paper = { log: (line: string) => output.push(line), error: (line: string) => output.push(line) };
    const environment = { DATABASE_ADMIN_URL: server.url('maker', 'postgres') };
    expect(await runCommand(['database', 'create'], environment, paper)).toBe(0);
    expect(output.join('\n')).toMatch(
      /keeps its password[\s\S]*DATABASE_URL=.*krapao_owner[\s\S]*DATABASE_APP_URL=/,
    );
    expect(await runCommand(['database', 'create'], {}, paper)).toBe(1);
    expect(output.at(-1)).toMatch(/^DATABASE_ADMIN_URL is missing/);
  });

  test('an installation of before gets a login for its application role, and keeps its user and its data', async () => {
    await server.request('create role before login in role krapao_owner; alter role krapao_app nologin');
    await server.request('create database before owner before');
    const { owner, app } = await createDatabase(server.url('admin', 'postgres'), 'before');
    expect([owner.password, app.password]).toEqual([undefined, expect.any(String)]);
    const database = await open('before', 'krapao_app', 'before');
    expect((await migrate(database.owner)).length).toBeGreaterThan(0);
    expect(await ownersIn('before')).toEqual(['krapao_owner']);
  });

  test('a call that fails before its end leaves no login whose password was never shown', async () => {
    await server.request(
      'create role half login createrole; alter role krapao_owner nologin; alter role krapao_app nologin',
    );
    await server.request('grant krapao_owner, krapao_app to half with admin option');
    await expect(createDatabase(server.url('half', 'postgres'), 'not-permitted')).rejects.toThrow(
      'permission denied to create database',
    );
    const { owner, app } = await createDatabase(server.url('admin', 'postgres'), 'krapao');
    expect([owner.password, app.password]).toEqual([expect.any(String), expect.any(String)]);
  });

  test('another login that has only the application role’s rights serves as well', async () => {
    await server.request('create role second login in role krapao_app');
    const { owner, app } = await open('krapao_owner', 'second');
    await migrate(owner);
    await expect(as(app, 'select * from graphile_worker._private_jobs')).resolves.toEqual([]);
    await expect(as(app, 'delete from ledger_entry')).rejects.toThrow('permission denied');
  });

  test('a superuser may migrate, with options in the address kept beside the role', async () => {
    const databaseUrl = `${server.url('admin', 'krapao')}?options=${encodeURIComponent('-c work_mem=7MB')}`;
    const databaseAppUrl = server.url('krapao_app', 'krapao');
    const { owner } = await databaseFor({ dataDir: '', databaseUrl, databaseAppUrl });
    const sql = "select current_user::text as me, current_setting('work_mem') as memory";
    expect(await as(owner, sql)).toEqual([{ me: 'krapao_owner', memory: '7MB' }]);
  });

  test.each([
    "select set_config('role', 'krapao_owner', false)",
    'set role krapao_owner',
    'set session authorization krapao_owner',
    'grant krapao_owner to krapao_app',
    'alter table ledger_entry disable trigger all',
    'delete from ledger_entry',
    'delete from ledger_posting',
    'update ledger_account set balance = 0',
    'truncate audit',
    'drop function ledger_post_batch',
    'create table mine (id int)',
  ])('the application’s connection may not: %s', async (sql) => {
    const { owner, app } = await open();
    await migrate(owner);
    await expect(as(app, sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|0LP01)$/) });
  });

  describe('is refused in one sentence that names the setting and the remedy', () => {
    const undo: string[] = [];
    afterEach(async () => {
      for (const sql of undo.splice(0)) await server.request(sql);
    });

    async function withChange(sql: string, reversal: string): Promise<void> {
      await server.request(sql);
      undo.push(reversal);
      if (!sql.startsWith('alter system')) return;
      await server.request('select pg_reload_conf()');
      undo.push('select pg_reload_conf()');
      const [, name, value] = /set (\w+) = (\w+)/.exec(sql)!;
      await expect.poll(() => server.request(`show ${name}`)).toEqual([{ [name!]: value }]);
    }

    test.each([
      [
        'the application logs in as the owner',
        'krapao_owner',
        /^DATABASE_APP_URL: .*krapao_owner.*database create/,
      ],
      ['the application logs in as a superuser', 'admin', /^DATABASE_APP_URL: .*admin.*database create/],
      ['the application’s login has no rights', 'norights', /^DATABASE_APP_URL: norights .*database create/],
    ])('%s', async (_what, login, sentence) => {
      await server.request(
        'do $$ begin create role norights login; exception when duplicate_object then end $$',
      );
      await expect(open('krapao_owner', login)).rejects.toThrow(sentence);
    });

    test.each([
      ['grant krapao_owner to krapao_app', 'revoke krapao_owner from krapao_app'],
      ['grant pg_write_all_data to krapao_app', 'revoke pg_write_all_data from krapao_app'],
      ['alter role krapao_app createrole', 'alter role krapao_app nocreaterole'],
    ])('more rights than the application needs: %s', async (sql, reversal) => {
      await withChange(sql, reversal);
      await expect(open()).rejects.toThrow(
        /^DATABASE_APP_URL: login krapao_app has the rights of .*database create/,
      );
    });

    test('the role is only an option of a login that can do more', async () => {
      const databaseAppUrl = `${server.url('member', 'krapao')}?options=${encodeURIComponent('-c role=krapao_app')}`;
      await server.request('create role member login in role krapao_owner, krapao_app');
      const databaseUrl = server.url('krapao_owner', 'krapao');
      const attempt = databaseFor({ dataDir: '', databaseUrl, databaseAppUrl });
      await expect(attempt).rejects.toThrow(/^DATABASE_APP_URL: login member has the rights of/);
    });

    test.each([
      ['alter system set fsync = off', 'alter system reset fsync', /fsync is off.*postgresql.conf/],
      [
        'alter system set full_page_writes = off',
        'alter system reset full_page_writes',
        /full_page_writes is off/,
      ],
      [
        'alter role krapao_app set synchronous_commit = off',
        'alter role krapao_app reset synchronous_commit',
        /synchronous_commit is off.*alter role krapao_app set synchronous_commit = 'on'/,
      ],
      [
        'alter role krapao_app set synchronous_commit = local',
        'alter role krapao_app reset synchronous_commit',
        /synchronous_commit is local/,
      ],
      [
        "alter role krapao_app set default_transaction_isolation = 'repeatable read'",
        'alter role krapao_app reset default_transaction_isolation',
        /default_transaction_isolation is repeatable read.*alter role/,
      ],
      [
        'alter database krapao set default_transaction_read_only = on',
        'alter database krapao reset default_transaction_read_only',
        /^DATABASE_URL leads to a read-only database.*primary/,
      ],
    ])('%s', async (sql, reversal, sentence) => {
      await withChange(sql, reversal);
      await expect(open()).rejects.toThrow(sentence);
    });

    test.each(['remote_write', 'remote_apply'])('but not synchronous_commit = %s', async (value) => {
      await withChange(
        `alter role krapao_app set synchronous_commit = ${value}`,
        'alter role krapao_app reset synchronous_commit',
      );
      await expect(open()).resolves.toBeDefined();
    });

    test('the application’s address is missing, leads elsewhere, or to nobody', async () => {
      const databaseUrl = server.url('krapao_owner', 'krapao');
      const with_ = (databaseAppUrl?: string) => databaseFor({ dataDir: '', databaseUrl, databaseAppUrl });
      await expect(with_()).rejects.toThrow(/^DATABASE_APP_URL is missing.*database create/);
      await expect(with_(server.url('krapao_app', 'postgres'))).rejects.toThrow(/not heard.*same database/);
      await expect(with_('postgres://x@127.0.0.1:1/x')).rejects.toThrow(/^DATABASE_APP_URL: .*ECONNREFUSED/);
    });

    test('the owner may not create tables in a database that somebody else made', async () => {
      await server.request('create database closed');
      await expect(open('admin', 'krapao_app', 'closed')).rejects.toThrow(
        /^DATABASE_URL: krapao_owner may not create tables in the database closed: .*database create closed/,
      );
      await createDatabase(server.url('admin', 'postgres'), 'closed');
      await expect(open('admin', 'krapao_app', 'closed')).resolves.toBeDefined();
    });

    test.each([
      [60_000, 'ahead of'],
      [-60_000, 'behind'],
    ])('this machine’s clock is wrong by %d ms', async (byMs, direction) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
      try {
        await expect(open()).rejects.toThrow(
          new RegExp(`clock of this machine is (59|60)\\..* s ${direction} .*NTP`),
        );
      } finally {
        vi.useRealTimers();
      }
    });

    test('the user of DATABASE_URL may not act as the owner', async () => {
      await server.request('do $$ begin create role poor login; exception when duplicate_object then end $$');
      await expect(open('poor')).rejects.toThrow(
        /^DATABASE_URL: user poor may not act as krapao_owner.*database create/,
      );
    });
  });
});

test('an address where nobody answers fails with the reason', async () => {
  const databaseUrl = 'postgres://x@127.0.0.1:1/x';
  const attempt = databaseFor({ dataDir: '', databaseUrl, databaseAppUrl: databaseUrl });
  await expect(attempt).rejects.toThrow(/^DATABASE_URL: .*ECONNREFUSED/);
});

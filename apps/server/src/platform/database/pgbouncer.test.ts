import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../admin/run.ts';
import { send, startServer, TEST_SECRET } from '../../crash/fixtures/server.ts';
import { DEMO_MEMBER } from '../../demo.ts';
import { createPool, databaseFor } from './connect.ts';
import { createDatabase } from './create.ts';
import { type External, hasPostgres15, startExternal } from './fixtures/external.ts';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from './fixtures/pgbouncer.ts';

if (!hasPgbouncer) {
  console.warn("SKIPPED: DATABASE_APP_URL through PgBouncer. Install Debian's pgbouncer to run these tests.");
}

describe.skipIf(!hasPgbouncer)('the application’s connection through PgBouncer', () => {
  let server: External;
  const running: Pgbouncer[] = [];

  beforeAll(async () => {
    server = await startExternal(hasPostgres15 ? 15 : 'packaged');
    await createDatabase(server.url('admin', 'postgres'), 'krapao');
    await server.request('create role limitless login in role krapao_app');
    await server.request('create role granted login in role krapao_owner, krapao_app');
  });
  afterEach(async () => {
    for (const pgbouncer of running.splice(0)) await pgbouncer.stop();
  });
  afterAll(() => server.stop());

  async function pgbouncer(...options: [mode: 'session' | 'transaction', settings?: Record<string, string>]) {
    const started = await startPgbouncer(server.port, ...options);
    running.push(started);
    return started;
  }

  const direct = (name = 'krapao') => server.url('krapao_owner', name);
  const app = (name = 'krapao') => server.url('krapao_app', name);
  const open = (databaseUrl: string, databaseAppUrl: string) =>
    databaseFor({ dataDir: '', databaseUrl, databaseAppUrl });

  describe.each(['session', 'transaction'] as const)('pooling by %s', (mode) => {
    test('statements with names never meet another’s server connection, and limits hold', async () => {
      const { through } = await pgbouncer(mode);
      const database = await open(direct(), through(app()));
      const settings = { max: 12, applicationName: 'test pooled', statementTimeoutMs: 5_000 };
      const pool = createPool(database.app, settings);
      try {
        const requested = Array.from({ length: 300 }, (_, at) =>
          pool.query({ name: `statement ${at % 7}`, text: 'select $1::int as at', values: [at] }),
        );
        const found = (await Promise.all(requested)).map(({ rows }) => rows[0].at);
        expect(found).toEqual(requested.map((_, at) => at));
        expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '5s' }]);
      } finally {
        await pool.end();
      }
    });

    test('a server starts, moves money, hears notifications and works off jobs', async () => {
      const { through } = await pgbouncer(mode);
      const name = `server_${mode}`;
      await createDatabase(server.url('admin', 'postgres'), name);
      const urls = { DATABASE_URL: direct(name), DATABASE_APP_URL: through(app(name)) };
      const running = await startServer(urls);
      try {
        const { phone: username, password } = DEMO_MEMBER;
        const reply = await send(running.url, '/api/login', '', { username, password });
        expect(reply.status).toBe(200);
        const { token } = (await reply.json()) as { token: string };
        const environment = { ...urls, SECRET: TEST_SECRET };
        expect(await runCommand(['credit', username, '500', 'test'], environment)).toBe(0);
        const withdrawal = await send(running.url, '/api/wallet/withdraw', token, { amount: 100 });
        expect([withdrawal.status, await withdrawal.text()]).toEqual([200, expect.any(String)]);
        const jobs = () => server.request('select 1 from graphile_worker._private_known_crontabs', name);
        await expect.poll(async () => (await jobs()).length).toBeGreaterThan(0);
        const logins = await server.request(
          `select distinct usename::text as login from pg_stat_activity where datname = '${name}' and application_name like 'krapao%'`,
        );
        expect(logins).toEqual([{ login: 'krapao_app' }]);
      } finally {
        await running.stop();
      }
    });
  });

  test('a login without limits of its own is refused: a client cannot set them there', async () => {
    const { through } = await pgbouncer('transaction');
    const attempt = open(direct(), through(server.url('limitless', 'krapao')));
    await expect(attempt).rejects.toThrow(
      /^DATABASE_APP_URL: statement_timeout is 0 behind the connection pooler: run alter role limitless set/,
    );
  });

  test('a role given as an option is refused whether PgBouncer refuses or drops it', async () => {
    const options = `?options=${encodeURIComponent('-c role=krapao_app')}`;
    for (const ignored of ['extra_float_digits', 'options']) {
      const { through } = await pgbouncer('session', { ignore_startup_parameters: ignored });
      const attempt = open(direct(), through(server.url('granted', 'krapao')) + options);
      await expect(attempt).rejects.toThrow(
        /^DATABASE_APP_URL: (no connection: .*unsupported startup parameter|login granted has the rights of krapao_owner)/,
      );
    }
  });

  test.each(['session', 'transaction'] as const)('DATABASE_URL through it is refused, %s', async (mode) => {
    const { through } = await pgbouncer(mode);
    const attempt = open(through(direct()), through(app()));
    await expect(attempt).rejects.toThrow(/^DATABASE_URL leads to a connection pooler.*DATABASE_APP_URL/);
  });

  test('another database behind it is refused', async () => {
    const { through } = await pgbouncer('transaction');
    const attempt = open(direct(), through(server.url('krapao_app', 'postgres')));
    await expect(attempt).rejects.toThrow(/not heard on DATABASE_URL/);
  });

  test('one that cannot reach the server is told by name', async () => {
    const { through } = await startPgbouncer(1, 'transaction').then((started) => {
      running.push(started);
      return started;
    });
    await expect(open(direct(), through(app()))).rejects.toThrow(/^DATABASE_APP_URL: no connection/);
  });

  test('its clients keep no session: what one sets reaches another (why all this)', async () => {
    const { through } = await pgbouncer('transaction', { default_pool_size: '1' });
    const clients = [new pg.Client(through(app())), new pg.Client(through(app()))];
    await Promise.all(clients.map((client) => client.connect()));
    await clients[0]!.query("set work_mem = '7MB'");
    expect((await clients[1]!.query('show work_mem')).rows).toEqual([{ work_mem: '7MB' }]);
    await Promise.all(clients.map((client) => client.end()));
  });
});

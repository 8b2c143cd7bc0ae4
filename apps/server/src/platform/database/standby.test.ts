import pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../admin/run.ts';
import { send, startServer, TEST_SECRET } from '../../crash/fixtures/server.ts';
import { DEMO_MEMBER } from '../../demo.ts';
import { createPool } from './connect.ts';
import { createDatabase } from './create.ts';
import { type External, hasPostgres15, startExternal, startStandbyOf } from './fixtures/external.ts';
import { openStandby, type Standby } from './standby.ts';

if (!hasPostgres15)
  console.warn("SKIPPED: reads on a standby. Install Debian's postgresql-15 to run these tests.");

const WHERE = 'select pg_is_in_recovery() as is_standby';

describe.skipIf(!hasPostgres15)('reads that a standby may answer', () => {
  let primary: External;
  let server: External;
  let pool: pg.Pool;
  let standby: Standby;
  const registry = new Registry();
  /** As `pg` has it, for statements of tests. */
  let reads: pg.Pool;

  beforeAll(async () => {
    primary = await startExternal(15);
    await createDatabase(primary.url('admin', 'postgres'), 'krapao');
    await primary.request('create table note (text text)', 'krapao');
    await primary.request('grant select, insert on note to krapao_app', 'krapao');
    server = await startStandbyOf(primary);
    const settings = { max: 4, applicationName: 'test', statementTimeoutMs: 5_000, log: () => undefined };
    pool = createPool({ connectionString: primary.url('krapao_app', 'krapao') }, settings);
    standby = openStandby(server.url('krapao_app', 'krapao'), () => undefined);
    standby.register(registry);
    reads = standby.readsOf(pool as never) as unknown as pg.Pool;
  });
  afterAll(async () => {
    await Promise.all([pool.end(), standby.end()]);
    server.stop();
    primary.stop();
  });

  const isOnStandby = async () => (await reads.query(WHERE)).rows[0].is_standby as boolean;
  const notes = async () => (await reads.query('select text from note')).rows.map(({ text }) => text);
  const write = (text: string) => pool.query('insert into note values ($1)', [text]);
  /** Standby, behind and away, as the counter has them. */
  async function counted(): Promise<Record<string, number>> {
    const [metric] = await registry.getMetricsAsJSON();
    return Object.fromEntries(metric!.values.map(({ labels, value }) => [labels.server, value]));
  }

  // After a lag or an outage the standby is left alone for a second.
  beforeEach(() => expect.poll(isOnStandby, { timeout: 20_000 }).toBe(true));

  test('run on it, and see every commit before them', async () => {
    for (let at = 0; at < 50; at++) {
      await write(`note ${at}`);
      expect(await notes()).toContain(`note ${at}`);
    }
    // On a busy machine some of them may have found it behind.
    await expect.poll(isOnStandby, { timeout: 20_000 }).toBe(true);
    const { standby: answered } = await counted();
    expect(answered).toBeGreaterThan(1);
  });

  test('run on the primary while the standby lags, so that the own write is seen', async () => {
    await server.request('select pg_wal_replay_pause()');
    await expect
      .poll(() => server.request('select pg_get_wal_replay_pause_state() as state'))
      .toEqual([{ state: 'paused' }]);
    await write('while it lags');
    expect(await notes()).toContain('while it lags');
    expect(await isOnStandby()).toBe(false);
    expect((await counted())['primary (behind)']).toBeGreaterThan(0);
    await server.request('select pg_wal_replay_resume()');
  });

  test('run on the primary while the standby is away, those under way too', async () => {
    // Long on the standby alone, so that it is under way however long the server takes to stop.
    const long = reads.query(`${WHERE}, case when pg_is_in_recovery() then pg_sleep(25) end`);
    await expect
      .poll(() =>
        server.request(
          "select from pg_stat_activity where query like '%pg_sleep(25)%' and pid <> pg_backend_pid()",
        ),
      )
      .toHaveLength(1);
    server.halt();
    expect((await long).rows[0].is_standby).toBe(false);
    await write('while it is away');
    expect(await notes()).toContain('while it is away');
    expect((await counted())['primary (away)']).toBeGreaterThan(0);
    server.resume();
  });

  test('run on the primary when the standby keeps a lock that it has replayed', async () => {
    const client = new pg.Client({ connectionString: primary.url('admin', 'krapao') });
    await client.connect();
    await client.query('begin; lock table note in access exclusive mode');
    // A commit takes the lock along to the standby.
    await primary.request('create table other_note ()', 'krapao');
    const found = notes();
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock'";
    await expect.poll(() => primary.request(waiting), { timeout: 20_000 }).toHaveLength(1);
    await client.query('commit');
    expect(await found).toContain('while it is away');
    await client.end();
  });

  test('wait for a primary that comes back, and do not fail', async () => {
    primary.halt();
    const found = notes();
    primary.resume();
    expect(await found).toContain('while it is away');
  });

  test('cannot write', async () => {
    await expect(reads.query("insert into note values ('by a read')")).rejects.toMatchObject({
      code: '25006',
    });
    expect(await notes()).not.toContain('by a read');
  });

  test('show what is wrong with a statement', async () => {
    await expect(reads.query('select nothing from note')).rejects.toMatchObject({ code: '42703' });
    await expect.poll(isOnStandby, { timeout: 20_000 }).toBe(true);
  });

  test('never run on another database', async () => {
    const other = openStandby(primary.url('admin', 'postgres'), () => undefined);
    const through = other.readsOf(pool as never) as unknown as pg.Pool;
    const name = 'select current_database() as name';
    expect((await through.query(name)).rows).toEqual([{ name: 'krapao' }]);
    await other.end();
  });

  test('serve a whole server: lists are read there, and a member sees their own withdrawal', async () => {
    const urls = {
      DATABASE_URL: primary.url('krapao_owner', 'krapao'),
      DATABASE_APP_URL: primary.url('krapao_app', 'krapao'),
      DATABASE_READ_URL: server.url('krapao_app', 'krapao'),
    };
    const running = await startServer(urls);
    try {
      const { phone: username, password } = DEMO_MEMBER;
      const { token } = (await (
        await send(running.url, '/api/login', '', { username, password })
      ).json()) as {
        token: string;
      };
      expect(await runCommand(['credit', username, '500', 'test'], { ...urls, SECRET: TEST_SECRET })).toBe(0);
      const list = async () => {
        const reply = await send(running.url, '/api/statement', token, { page: 1, limit: 10 });
        return ((await reply.json()) as { statements: { id: string }[] }).statements.map(({ id }) => id);
      };
      const answered = async (by: string) => {
        const text = await (await fetch(`${running.url}/metrics`)).text();
        const [, value = '0'] = text.split(`krapao_reads_total{server="${by}"} `);
        return Number.parseInt(value, 10);
      };
      await expect.poll(async () => (await list()) && (await answered('standby'))).toBeGreaterThan(0);
      await server.request('select pg_wal_replay_pause()');
      const reply = await send(running.url, '/api/wallet/withdraw', token, { amount: 100 });
      expect(reply.status).toBe(200);
      const { id } = (await reply.json()) as { id: string };
      expect(await list()).toContain(id);
      await server.request('select pg_wal_replay_resume()');
    } finally {
      await running.stop();
    }
  }, 120_000);

  test('run on the primary once the standby has been promoted', async () => {
    await server.request('select pg_promote()');
    await write('after the promotion');
    expect(await notes()).toContain('after the promotion');
  });
});

import { afterEach, expect, test, vi } from 'vitest';
import { startTestEnv } from '../testing/test-env.ts';
import { createPool } from './database/connect.ts';
import { testDatabase } from './database/testing.ts';
import { createReadiness } from './readiness.ts';

const database = await testDatabase();
let waitMs = 0;
const ledger = { oldestWaitMs: () => waitMs };
const poolOf = (config: object, max = 2) =>
  createPool(
    { ...database.config.app, ...config },
    { max, applicationName: 'readiness', statementTimeoutMs: 5_000, log: () => undefined },
  );

afterEach(() => {
  vi.useRealTimers();
  waitMs = 0;
});

test('a server that can read, write and lend is ready', async () => {
  const readiness = createReadiness({
    pool: database.app,
    backgroundPool: database.app,
    ledger,
    needsStandby: false,
  });
  expect(await readiness.failed()).toEqual([]);
});

test('one that can only read is not ready', async () => {
  const pool = poolOf({
    options: `${database.config.app.options ?? ''} -c default_transaction_read_only=on`,
  });
  const readiness = createReadiness({ pool, backgroundPool: pool, ledger, needsStandby: false });
  expect(await readiness.failed()).toEqual(['database_read_only']);
  await pool.end();
});

test('one whose commits wait for no standby is not ready where a standby is required', async () => {
  const { app } = database;
  const readiness = createReadiness({ pool: app, backgroundPool: app, ledger, needsStandby: true });
  expect(await readiness.failed()).toEqual(['database_standby']);
});

test('one whose background connections are all taken is not ready, until one is back', async () => {
  const backgroundPool = poolOf({}, 1);
  const readiness = createReadiness({ pool: database.app, backgroundPool, ledger, needsStandby: false });
  const taken = await backgroundPool.connect();
  expect(await readiness.failed()).toEqual(['background_pool']);
  taken.release();
  await expect.poll(() => readiness.failed()).toEqual([]);
  await backgroundPool.end();
});

test('one whose commits do not end is not ready', async () => {
  // Like a commit that waits for a lost standby: it is not acknowledged.
  const pool = poolOf({});
  const stuck = {
    query: (sql: string) => (/emit/.test(sql) ? new Promise(() => undefined) : pool.query(sql)),
  };
  const readiness = createReadiness({
    pool: stuck as never,
    backgroundPool: pool,
    ledger,
    needsStandby: false,
  });
  expect(await readiness.failed()).toEqual(['database_write']);
  await pool.end();
});

test('one without a database is not ready, and checks it once for any number of callers', async () => {
  const pool = poolOf({ host: '127.0.0.1', port: 1, connectionString: undefined });
  const readiness = createReadiness({ pool, backgroundPool: pool, ledger, needsStandby: false });
  const [first, second] = [readiness.failed(), readiness.failed()];
  expect(second).toBe(first);
  expect(await first).toEqual(['database', 'background_pool']);
  await pool.end();
});

test('one whose clock is not the database’s is not ready', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  const readiness = createReadiness({
    pool: database.app,
    backgroundPool: database.app,
    ledger,
    needsStandby: false,
  });
  expect(await readiness.failed()).toEqual(['clock']);
});

test('a dependency that does not answer is named, and the server stays ready', async () => {
  let isAway = true;
  const files = async () => {
    if (isAway) throw new Error('away');
  };
  const silent = () => new Promise(() => undefined);
  const dependencies = { files, redis: silent };
  const readiness = createReadiness({
    pool: database.app,
    backgroundPool: database.app,
    ledger,
    needsStandby: false,
    dependencies,
  });
  expect(await readiness.dependencies()).toEqual([
    ['files', false],
    ['redis', false],
  ]);
  expect(await readiness.failed()).toEqual([]);
  isAway = false;
  const later = createReadiness({
    pool: database.app,
    backgroundPool: database.app,
    ledger,
    needsStandby: false,
    dependencies,
  });
  expect((await later.dependencies())[0]).toEqual(['files', true]);
});

test('one whose ledger decides nothing any more is not ready', async () => {
  waitMs = 6_000;
  const readiness = createReadiness({
    pool: database.app,
    backgroundPool: database.app,
    ledger,
    needsStandby: false,
  });
  expect(await readiness.failed()).toEqual(['ledger']);
});

test('both ports name what fails, and the ledger tells how long money waits', async () => {
  const env = await startTestEnv({ jobs: false });
  const member = await env.member({ amountMinor: 100_000n });
  const client = await env.owner.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock(4711)');
  const waiting = env.call('POST', '/api/wallet/withdraw', { amount: 100 }, { token: member.token });
  await expect.poll(() => env.app.deps.ledger.oldestWaitMs()).toBeGreaterThan(1_000);
  await client.query('rollback');
  client.release();
  expect((await waiting).status).toBe(200);
  expect(env.app.deps.ledger.oldestWaitMs()).toBe(0);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  await expect
    .poll(async () => (await env.call('GET', '/readyz')).body)
    .toEqual({ status: 'not ready', failed: ['clock'] });
  const console = await env.app.consoleHttp.inject('/readyz');
  expect([console.statusCode, console.json().failed]).toEqual([503, ['clock']]);
});

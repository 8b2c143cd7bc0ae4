import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { startOverFaultyConnection } from './fixtures/faulty-connection.ts';
import { openScreen } from './fixtures/instances.ts';
import { databaseUrlOf, send } from './fixtures/server.ts';

// The test environment keeps its database; the server under test reaches the same one over a line that can fail.
const env = await startTestEnv({ jobs: false });
const { connection, server, stop: stopServer } = await startOverFaultyConnection(env);
afterAll(stopServer);

const member = await env.member({ amountMinor: 10_000_000n });
await env.set('withdraw.oneOpen', false);
await env.set('withdraw.automaticDayMax', { BAHT: 1_000_000, LAK: 1 });

const readiness = async () => (await fetch(`${server.url}/readyz`)).status;

/** One call of each kind: without a session, with one, and one that moves money. */
const CALLS: [string, () => Promise<Response>][] = [
  ['lookup', () => fetch(`${server.url}/api/lookup/banks`)],
  ['login', () => send(server.url, '/api/login', 'x', { username: '0812345678', password: 'x' })],
  ['withdraw', () => send(server.url, '/api/wallet/withdraw', member.token, { amount: 100 })],
  ['statement', () => send(server.url, '/api/statement', member.token, { page: 1, limit: 10 })],
];

async function expectAway(): Promise<void> {
  await Promise.all(
    CALLS.map(async ([name, call]) => {
      // The limits are 5 s and 10 s; a busy machine adds its own time to them.
      const reply = await Promise.race([call(), sleep(60_000, null, { ref: false })]);
      expect([name, reply?.status]).toEqual([name, 503]);
      if (!reply) return;
      expect(reply.headers.get('retry-after'), name).not.toBeNull();
    }),
  );
  // A look at the database may be a second old.
  await expect.poll(readiness).toBe(503);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
}

async function direct(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** Opens the connections a server under load has, so that a silence meets them. */
const warmUp = () =>
  Promise.all(Array.from({ length: 40 }, () => fetch(`${server.url}/api/lookup/sources`))).then(
    () => undefined,
  );

/** Calls work, jobs work, and screens receive events. */
async function expectBack(): Promise<void> {
  await until(async () => (await fetch(`${server.url}/readyz`)).ok);
  const reply = await until(async () => {
    const again = await send(server.url, '/api/wallet/withdraw', member.token, { amount: 100 });
    return again.status === 200 && again;
  });
  const { id } = (await reply.json()) as { id: string };
  await until(async () => {
    const { rows } = await env.pool.query('select status from withdrawal where id = $1', [id]);
    return rows[0].status === 'SUCCESS';
  });
}

describe('with the database', () => {
  test('gone, every call is answered 503, and all is well after its return', async () => {
    await connection.cut();
    await expectAway();
    await connection.mend();
    await expectBack();
  });

  test('silent, the same', async () => {
    await warmUp();
    connection.silence();
    await expectAway();
    await connection.mend();
    await expectBack();
  });

  test('taking no writes, as a primary that another has replaced, the same', async () => {
    const { name } = (await env.owner.query('select current_database() as name')).rows[0];
    const administrator = await direct(await databaseUrlOf(env.pool));
    const readOnly = `alter role krapao_app in database ${name} set default_transaction_read_only`;
    try {
      await administrator.query(`${readOnly} = on`);
      await administrator.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'krapao'",
        [name],
      );
      await warmUp();
      await expectAway();
    } finally {
      await administrator.query(
        `alter role krapao_app in database ${name} reset default_transaction_read_only`,
      );
      await administrator.end();
    }
    await expectBack();
    expect(server.output()).not.toContain('"msg":"unexpected"');
  });

  test('coming and going five times, jobs and live events work on afterwards', async () => {
    for (let time = 0; time < 5; time++) {
      await connection.cut();
      await connection.mend();
      await until(async () => (await fetch(`${server.url}/readyz`)).ok);
    }
    await expectBack();
    await until(async () => (await fetch(`${server.url}/readyz`)).ok);
    // A connection that broke unnoticed may cost the first confirmation; the bank repeats it.
    await env.control('settings', { confirmationIntervalMs: 500 });
    const screen = await openScreen(server.url, member.token);
    const deposit = await env.call('POST', '/api/qrcode/KBANK', { amount: 70 }, { token: member.token });
    await env.control('pay-qr', { payload: deposit.body.payload, phone: member.phone });
    await until(async () => screen.received.some(({ event }) => event === 'notice'));
    screen.socket.disconnect();
  });
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

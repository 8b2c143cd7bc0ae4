import { afterAll, describe, expect, test } from 'vitest';
import { TRANSFER_CHECK } from '../features/games/read.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { freePort } from '../testing/ports.ts';
import { startTestEnv, type TestMember, until } from '../testing/test-env.ts';
import { databaseUrlOf, type RunningServer, send, startServer } from './fixtures/server.ts';

// The test environment answers calls and works no jobs; the servers to be killed do.
const env = await startTestEnv({ jobs: false });
const { config } = env.app.deps;
const environment = {
  DATABASE_URL: await databaseUrlOf(env.pool),
  PORT: String(await freePort()),
  BANK_A_URL: config.BANK_A_URL,
  SMS_URL: config.SMS_URL,
  GAME_F_URL: config.GAME_F_URL,
};
let server: RunningServer = await startServer(environment);
afterAll(() => server.stop());

/**
 * The next start, and then a minute later: the sweep for the remains of a crashed server. By then a call
 * in flight has ended, so the test waits for a slow partner before it moves time.
 */
async function killAndStart(partnerIsDone: () => Promise<boolean> = async () => true): Promise<void> {
  await server.kill();
  await until(partnerIsDone);
  server = await startServer(environment);
  await env.owner.query("update payout set touched_at = touched_at - interval '1 minute'");
  await env.owner.query("update provider_transfer set sent_at = sent_at - interval '1 minute'");
  for (const sweep of ['withdrawals.sweep', 'transfers.sweep']) await env.app.runJob(sweep);
}

const rowOf = async (table: 'withdrawal' | 'provider_transfer', member: TestMember) =>
  (await env.pool.query(`select * from ${table} where member_id = $1`, [member.id])).rows[0];

/** Whether the call that a fault lay in wait for has reached the partner. */
const hasArrived = async (): Promise<boolean> => (await env.control('faults', {})).faults.length === 0;

/** A call to the server that will be killed; its answer may never come. */
function sendOff(member: TestMember, path: string, body: object): void {
  void send(server.url, path, member.token, body).catch(() => undefined);
}

/** Whether the provider has done the transfer. */
async function isDone(id: string): Promise<boolean> {
  const { gameTransfers } = await env.control('books');
  return gameTransfers.filter((one: { ref: string }) => one.ref === id).length === 1;
}

const FAULTS = [
  ['that the partner does late', { kind: 'delay', ms: 800, count: 1 }],
  ['that the partner did although its answer was lost', { kind: 'cut-after', count: 1 }],
  ['that never reached the partner', { kind: 'cut-before', count: 1 }],
] as const;

describe('a server killed during a payout order to the bank', () => {
  test.each(FAULTS)('%s: the next start ends it paid, once', async (_name, fault) => {
    const member = await env.member({ amountMinor: 100_000n });
    await env.fault({ party: 'bank-a', call: 'payout', ...fault });
    sendOff(member, '/api/wallet/withdraw', { amount: 300 });
    await until(hasArrived);
    await killAndStart();
    await until(async () => (await rowOf('withdrawal', member)).status === 'SUCCESS');
    const { id } = await rowOf('withdrawal', member);
    const { payouts } = await env.control('books');
    const paid = payouts.filter(
      (one: { reference: string; state: string }) => one.reference === id && one.state === 'PAID',
    );
    expect(paid).toHaveLength(1);
    expect(await env.balance(member)).toBe(70_000n);
  });
});

test('a withdrawal whose server was killed before anybody took it up is paid by the next one', async () => {
  const member = await env.member({ amountMinor: 100_000n });
  await server.kill();
  const response = await env.call('POST', '/api/wallet/withdraw', { amount: 300 }, { token: member.token });
  expect(response.status).toBe(200);
  server = await startServer(environment);
  await until(async () => (await rowOf('withdrawal', member)).status === 'SUCCESS');
});

describe('a server killed during a transfer call to a provider', () => {
  async function playing(): Promise<TestMember> {
    const member = await env.member({ amountMinor: 100_000n });
    const opened = await env.call('POST', '/api/wallet/activate/betflix', undefined, {
      token: member.token,
    });
    expect(opened.status).toBe(200);
    return member;
  }
  const move = (from: string, to: string) => ({ from, to, amount: 200 });
  test.each(FAULTS)('into a game %s: the next start books what the provider did', async (name, fault) => {
    const member = await playing();
    await env.fault({ party: 'game-f', call: 'transfer', ...fault });
    sendOff(member, '/api/wallet/transfer', move('wallet', 'betflix'));
    await until(hasArrived);
    const { id } = await rowOf('provider_transfer', member);
    await killAndStart(fault.kind === 'delay' ? () => isDone(id) : undefined);
    const ended = await until(async () => {
      const row = await rowOf('provider_transfer', member);
      return (row.state === 'DONE' || row.state === 'FAILED') && row;
    });
    const done = await isDone(ended.id);
    expect(done).toBe(name !== FAULTS[2][0]);
    expect(ended.state).toBe(done ? 'DONE' : 'FAILED');
    expect(await env.balance(member)).toBe(done ? 80_000n : 100_000n);
  });

  test('out of a game: the money is in the wallet after the next start', async () => {
    const member = await playing();
    const into = await env.call('POST', '/api/wallet/transfer', move('wallet', 'betflix'), {
      token: member.token,
    });
    expect(into).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'delay', ms: 800, count: 1 });
    sendOff(member, '/api/wallet/transfer', move('betflix', 'wallet'));
    await until(hasArrived);
    const sql = "select id from provider_transfer where member_id = $1 and direction = 'OUT'";
    const { id } = (await env.pool.query(sql, [member.id])).rows[0];
    await killAndStart(() => isDone(id));
    await until(async () => (await env.balance(member)) === 100_000n);
  });
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

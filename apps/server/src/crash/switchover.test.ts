import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { startOverFaultyConnection } from './fixtures/faulty-connection.ts';

/** How long a planned switchover leaves the database without a primary, in ms. */
const SWITCHOVER_MS = 2_500;
const SWITCHOVERS = 3;

const env = await startTestEnv({ jobs: false });
const { connection, server, stop: stopServer } = await startOverFaultyConnection(env);
afterAll(stopServer);

interface Reply {
  call: string;
  status: number;
}

/** Members who read their wallet and withdraw without pause, each withdrawal under a key of its own. */
function startMembers(tokens: readonly string[]) {
  const responses: Reply[] = [];
  let isRunning = true;
  let serial = 0;
  const call = async (token: string, method: string, path: string, body?: object) => {
    const reply = await fetch(server.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'wallet-user',
        authorization: `Bearer ${token}`,
        'idempotency-key': `switchover-${++serial}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    await reply.text();
    responses.push({ call: path, status: reply.status });
  };
  const work = async (token: string) => {
    while (isRunning) {
      await call(token, 'GET', '/api/wallet');
      await call(token, 'POST', '/api/wallet/withdraw', { amount: 100 });
    }
  };
  const all = Promise.all(tokens.map(work));
  return {
    responses,
    async stop() {
      isRunning = false;
      await all;
    },
  };
}

test('calls wait while another server becomes the primary: none fails, and no withdrawal is done twice', async () => {
  await env.set('withdraw.oneOpen', false);
  await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
  const members = await Promise.all(
    Array.from({ length: 8 }, () => env.member({ amountMinor: 1_000_000_000n })),
  );
  const { responses, stop } = startMembers(members.map((member) => member.token));
  for (let time = 0; time < SWITCHOVERS; time++) {
    const before = responses.length;
    await until(async () => responses.length > before + 100);
    await connection.cut();
    await pause(SWITCHOVER_MS);
    await connection.mend();
  }
  const before = responses.length;
  await until(async () => responses.length > before + 100);
  await stop();
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  const withdrawn = responses.filter(({ call }) => call === '/api/wallet/withdraw').length;
  const { rows } = await env.pool.query('select count(*)::int from withdrawal');
  expect(rows).toEqual([{ count: withdrawn }]);
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

import { afterAll, expect, test } from 'vitest';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { freePort } from '../testing/ports.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { startCrowd } from './fixtures/intents.ts';
import { databaseUrlOf, type RunningServer, START_MS, startServer } from './fixtures/server.ts';

// The test environment gives the database, the sandbox and the members; the servers to be killed work beside it.
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

const KILLS = 10;

/** Each kill waits for a start, which may take START_MS on a busy machine. */
const LIMIT_MS = KILLS * START_MS;

async function killAndStart(): Promise<void> {
  await server.kill();
  server = await startServer(environment);
}

/** Everything a server has promised by a 200 is there, once. */
async function expectStored(intents: { response: { id: string } | null }[]): Promise<void> {
  const ids = intents.map((intent) => intent.response!.id);
  expect(new Set(ids).size).toBe(ids.length);
  const { rows } = await env.pool.query(
    "select w.id from withdrawal w join ledger_hold h on h.key = 'withdrawal:' || w.id and h.amount = w.amount order by w.id",
  );
  expect(rows.map((row) => row.id)).toEqual([...ids].sort());
}

test(
  'a server killed ten times under load loses no acknowledged withdrawal and does none twice',
  async () => {
    await env.set('withdraw.oneOpen', false);
    await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
    const members = await Promise.all(
      Array.from({ length: 10 }, () => env.member({ amountMinor: 1_000_000_000n })),
    );
    const crowd = startCrowd(
      () => server.url,
      members.map((member) => member.token),
      24,
    );
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = crowd.answered();
      await until(async () => crowd.answered() > before + 40);
      await killAndStart();
    }
    await crowd.stop();
    expect(crowd.answered()).toBeGreaterThan(KILLS * 40);
    await expectStored(crowd.intents);
    expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
  },
  LIMIT_MS,
);

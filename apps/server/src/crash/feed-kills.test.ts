import { expect, onTestFinished, test } from 'vitest';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { freePort } from '../testing/ports.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { databaseUrlOf, type RunningServer, START_MS, startServer } from './fixtures/server.ts';

const env = await startTestEnv({ jobs: false });
const { config } = env.app.deps;
const environment = {
  DATABASE_URL: await databaseUrlOf(env.pool),
  PORT: String(await freePort()),
  BANK_A_URL: config.BANK_A_URL,
  BANK_B_URL: config.BANK_B_URL,
  SMS_URL: config.SMS_URL,
  GAME_F_URL: config.GAME_F_URL,
};
const KILLS = 5;
const LINES = 30;
/** Each kill waits for a start, which may take START_MS on a busy machine. */
const LIMIT_MS = (KILLS + 1) * START_MS;

const booked = async (): Promise<number> =>
  (await env.pool.query("select count(*)::int as count from deposit where channel = 'AUTO'")).rows[0].count;

test(
  'a server killed five times while it reads a statement skips no line and books none twice',
  async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => env.member()));
    await env.app.runJob('feeds.read');
    await env.set('feed.seconds', 0);
    let server: RunningServer = await startServer(environment);
    onTestFinished(async () => void (await server.stop()));
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = await booked();
      for (let line = 0; line < LINES; line++)
        await env.control('transfer', {
          phone: members[line % members.length]!.phone,
          amount: 1,
          toBank: 'SCB',
          toAccount: '2223334445',
        });
      await until(async () => (await booked()) > before);
      await server.kill();
      // A crashed reader's lease expires; the test shortens the lease.
      await env.owner.query("update bank_feed set taken_until = '-infinity'");
      server = await startServer(environment);
    }
    await until(async () => (await booked()) === KILLS * LINES);
    for (const member of members)
      expect(await env.balance(member)).toBe(BigInt((KILLS * LINES) / members.length) * 100n);
    const { rows } = await env.pool.query('select count(*)::int as count from bank_transaction');
    expect(rows).toEqual([{ count: KILLS * LINES }]);
    expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
  },
  LIMIT_MS,
);

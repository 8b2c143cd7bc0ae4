import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bonusHelpers } from '../features/bonuses/testing-bonuses.ts';
import { gameHelpers } from '../features/games/testing-games.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { startTestEnv, type TestMember, until } from '../testing/test-env.ts';
import { anotherInstance, type Instance } from './fixtures/instances.ts';

const env = await startTestEnv({ jobs: false });
const games = gameHelpers(env);
const bonuses = bonusHelpers(env);

// Longer than a balance is held up below.
await env.set('game.timeoutSeconds', 10);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

interface Body {
  message?: string;
  slots?: { amount: number }[];
}

async function call(url: string, path: string, member: TestMember, body?: object) {
  const reply = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${member.token}`,
      'x-requested-with': 'wallet-user',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Body };
}

/** Reads a balance that was true before a transfer and arrives after it. */
async function duringRead<T>(request: () => Promise<T>, transfer: () => Promise<void>): Promise<T> {
  const about = { party: 'game-f', call: 'balance', agent: 'betflix', count: 1 };
  await env.fault({ ...about, kind: 'delay', ms: 2_000 });
  await env.fault({ ...about, kind: 'stale-balance' });
  const reading = request();
  await until(async () => (await env.control('faults')).faults.length === 0);
  await transfer();
  return reading;
}

describe.each([3_000, -3_000, 90_000, -90_000])(
  'with a second server whose clock is %d ms ahead',
  (ahead) => {
    let other: Instance;
    beforeAll(async () => {
      other = await anotherInstance(env, ahead);
    });
    afterAll(() => other.close());

    const urls = () => ({ first: env.url, other: other.url });

    test.each([
      ['other', 'first'],
      ['first', 'other'],
    ] as const)('a transfer is never booked as a loss: %s reads, %s moves', async (reads, moves) => {
      const member = await env.member({ amountMinor: 100_000n });
      await games.open(member, 'betflix');
      await duringRead(
        () => call(urls()[reads], '/api/wallet/refresh/slot', member),
        async () => {
          const order = { from: 'wallet', to: 'betflix', amount: 100 };
          expect((await call(urls()[moves], '/api/wallet/transfer', member, order)).status).toBe(200);
        },
      );
      expect([await env.balance(member), await games.gameBalance(member, 'betflix')]).toEqual([
        90_000n,
        10_000n,
      ]);
      const sql = "select 1 from ledger_entry where kind = 'game_result' and member_id = $1";
      expect((await env.pool.query(sql, [member.id])).rows).toEqual([]);
    });

    test('a reading by one does not keep the other from reading', async () => {
      const member = await env.member({ amountMinor: 100_000n });
      await games.open(member, 'betflix');
      await games.transfer(member, 'wallet', 'betflix', 100);
      await call(other.url, '/api/wallet/refresh/slot', member);
      await games.play(member, 'betflix', 40, 'lose');
      const amount = async () =>
        (await call(env.url, '/api/wallet/refresh/slot', member)).body.slots?.[0]?.amount;
      await expect.poll(amount).toBe(60);
      expect(await games.gameBalance(member, 'betflix')).toBe(6_000n);
    });

    test('a deposit that something was withdrawn after backs no bonus', async () => {
      const member = await env.member({ amountMinor: 100_000n });
      const code = await bonuses.offer();
      await bonuses.deposit(member, 100);
      expect((await call(other.url, '/api/wallet/withdraw', member, { amount: 100 })).status).toBe(200);
      await env.owner.query("update withdrawal set status = 'SUCCESS' where member_id = $1", [member.id]);
      expect((await bonuses.activate(member, code)).body.message).toBe('BONUS_DEPOSIT_REQUIRED');
      await bonuses.deposit(member, 100);
      expect((await bonuses.activate(member, code)).status).toBe(200);
    });

    test('only one opens a game account at a time', async () => {
      const member = await env.member();
      await env.fault({ party: 'game-f', call: 'register', kind: 'delay', ms: 1_500, count: 1 });
      const opening = call(env.url, '/api/wallet/activate/betflix', member);
      await until(async () => (await env.control('faults')).faults.length === 0);
      const second = await call(other.url, '/api/wallet/activate/betflix', member);
      expect(second.body.message).toBe('SLOT_ALREADY_ACTIVE');
      expect((await opening).status).toBe(200);
    });

    test('money on its way into a game does not sham the end of a bonus', async () => {
      const member = await env.member();
      await games.open(member, 'betflix');
      const code = await bonuses.offer();
      await bonuses.deposit(member, 100);
      expect((await bonuses.activate(member, code)).status).toBe(200);
      const [by, movesOn] = ahead > 0 ? [other.url, env.url] : [env.url, other.url];
      const cleared = await duringRead(
        () => call(by, '/api/bonus/clear', member),
        async () => {
          const order = { from: 'wallet', to: 'betflix', amount: 190 };
          expect((await call(movesOn, '/api/wallet/transfer', member, order)).status).toBe(200);
        },
      );
      expect(cleared.body).toMatchObject({ message: 'BONUS_CONDITION' });
      const { rows } = await env.pool.query('select state from bonus_run where member_id = $1', [member.id]);
      expect(rows).toEqual([{ state: 'ACTIVE' }]);
    });
  },
);

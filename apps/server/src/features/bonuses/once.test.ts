import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { type ApiResponse, startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { inviteHelpers } from '../invites/testing-invites.ts';
import { refundHelpers } from '../refunds/testing-refunds.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { wheelHelpers } from '../wheel/testing-wheel.ts';
import { bonusHelpers } from './testing-bonuses.ts';

/** How often each grant is requested at once; ONCE_ROUNDS sets more. */
const ROUNDS = Number(process.env.ONCE_ROUNDS ?? 2);
const AT_ONCE = 40;
const PATIENCE_MS = 15_000 * ROUNDS;

const env = await startTestEnv({ jobs: false });
const bonuses = bonusHelpers(env);
const games = gameHelpers(env);
const invites = inviteHelpers(env);
const refunds = refundHelpers(env);
const wheel = wheelHelpers(env);
await env.set('refund.dayMax', 1_000);
await env.set('refresh.seconds', 0);

const FIXED = { award: 'fixed', award_amount: 5_000n, deposit_min: null, max_received: 1 };
const PLAIN = { ...FIXED, success_percent: 0 };
const [cash, played, coins] = await Promise.all([
  wheel.prize({ kind: 'CASH', value: 1_000n }),
  wheel.prize({ kind: 'BONUS', value: 1_000n }),
  wheel.prize({ kind: 'COIN', value: 3n }),
]);
await wheel.putUp([{ kind: 'CASH', value: 100n }]);
const crowd = await Promise.all(Array.from({ length: AT_ONCE }, () => env.member()));

/** One of forty parallel attempts at the same action. */
type Attempt = (index: number) => Promise<ApiResponse>;

const lose = async (member: TestMember, amount: number) => {
  await games.open(member, 'betflix');
  await games.transfer(member, 'wallet', 'betflix', amount);
  await games.play(member, 'betflix', amount, 'lose');
};
const runner = async (change: object = {}): Promise<TestMember> => {
  const member = await env.member({ amountMinor: 10_000n });
  await bonuses.activate(member, await bonuses.offer({ ...FIXED, ...change }));
  return member;
};
const loser = async (): Promise<TestMember> => {
  const member = await env.member({ amountMinor: 10_000n });
  await lose(member, 100);
  return member;
};
const holder = async (prize: bigint): Promise<Attempt> => {
  const member = await env.member();
  const coupon = await wheel.giveCoupon(member, prize);
  return () => wheel.redeem(member, coupon);
};

/** A code for one person, and a promotion of its own. */
async function singleCode(round: number): Promise<string> {
  const promotion = await bonuses.offer({ ...PLAIN, kind: 'promotion', single_codes: true });
  const [batch, code] = [`PBONCE${round}`, `ONCE${round}ONCE`];
  await env.owner.query(
    `with made as (insert into promotion_batch (id, bonus_id, made_by, made_at) select $1, id, 'test', now() from bonus where code = $3 returning id)
     insert into promotion_code (code, batch_id) select $2, id from made`,
    [batch, code, promotion],
  );
  return code;
}

/** What may happen once for any number of concurrent calls. */
const ATTEMPTS: Record<string, (round: number) => Promise<Attempt>> = {
  'a bonus': async () => {
    const [member, code] = [await env.member(), await bonuses.offer(FIXED)];
    return () => bonuses.activate(member, code);
  },
  'a bonus of plain money': async () => {
    const [member, code] = [await env.member(), await bonuses.offer(PLAIN)];
    return () => bonuses.activate(member, code);
  },
  'a promotion': async () => {
    const [member, code] = [await env.member(), await bonuses.offer({ ...PLAIN, kind: 'promotion' })];
    return () => bonuses.receive(member, code);
  },
  'a promotion’s last place among forty members': async () => {
    const code = await bonuses.offer({ ...PLAIN, kind: 'promotion', quota: 1 });
    return (index) => bonuses.receive(crowd[index]!, code);
  },
  'a code for one person among forty members': async (round) => {
    const code = await singleCode(round);
    return (index) => bonuses.receive(crowd[index]!, code);
  },
  'the end of a lost run': async () => {
    const member = await runner({ fail_percent: 99 });
    await lose(member, 10);
    return () => bonuses.clear(member);
  },
  'a run given up': async () => {
    const member = await runner();
    return () => bonuses.forfeit(member);
  },
  'an invite bonus': async () => {
    const inviter = await env.member();
    await invites.earner(inviter, 100);
    return () => invites.receive(inviter);
  },
  'a refund': async () => {
    const member = await loser();
    return () => refunds.receive(member);
  },
  'a refund into the wallet': async () => {
    const member = await loser();
    await refunds.receive(member);
    return () => refunds.addWallet(member);
  },
  'a spin for the only coin': async () => {
    const member = await env.member();
    await wheel.giveCoins(member, 1);
    return () => wheel.spin(member);
  },
  'a coupon of cash': () => holder(cash),
  'a coupon that is played through': () => holder(played),
  'a coupon of coins': () => holder(coins),
};

const isDone = ({ status, body }: ApiResponse): boolean => status === 200 && body.success !== false;

test.each(Object.entries(ATTEMPTS))(
  'of forty at once one succeeds: %s',
  async (_name, prepare) => {
    for (let round = 0; round < ROUNDS; round++) {
      const attempt = await prepare(round);
      const responses = await Promise.all(crowd.map((_member, index) => attempt(index)));
      expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
      expect(responses.filter(isDone)).toHaveLength(1);
    }
  },
  PATIENCE_MS,
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

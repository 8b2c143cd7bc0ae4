import { DAY_MS } from '@krapao/contract/durations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pass, pushedClock } from '../testing.ts';
import { findWithdrawal, settleWithdrawal } from '../withdrawals/read.ts';
import { refundHelpers } from './testing-refunds.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
const { deposit, offer, activate, withdraw } = bonusHelpers(env);
const { open, transfer, play, credits, transferAll } = gameHelpers(env);
const { check, receive, addWallet } = refundHelpers(env);
const GIFT = await offer({ award: 'fixed', award_amount: 5_000n, deposit_min: null, success_percent: 0 });

const STEPS = ['deposit', 'withdraw', 'release', 'win', 'lose', 'home', 'gift', 'receive', 'add'] as const;
type Step = { step: (typeof STEPS)[number]; amount: number };

/** The expected state of one member, computed independently of the server; in satang. */
interface Player {
  member: TestMember;
  opening: number;
  paidIn: number;
  paidOut: number;
  has: number;
  held: number;
  refundBalance: number;
}

async function playAt(player: Player, stake: number, result: 'win' | 'lose'): Promise<void> {
  const { member } = player;
  const wallet = Number(await env.balance(member));
  if (wallet < stake * 100) return;
  await transfer(member, 'wallet', 'betflix', stake);
  const before = await credits(member, 'betflix');
  await play(member, 'betflix', stake, result);
  player.has += Number((await credits(member, 'betflix')) - before);
}

async function release(player: Player): Promise<void> {
  const { rows } = await env.pool.query(
    "select id from withdrawal where member_id = $1 and status = 'REVIEW'",
    [player.member.id],
  );
  if (rows.length === 0) return;
  const row = (await findWithdrawal(env.pool, rows[0].id))!;
  await settleWithdrawal(env.app.deps, row, 'released', { actor: 'test', payoutState: null }, 'no');
  player.paidOut -= player.held;
  player.has += player.held;
  player.held = 0;
}

const lossOf = ({ opening, paidIn, paidOut, has }: Player) => Math.max(0, opening + paidIn - paidOut - has);

/** Receives the refund, if there is one and nothing is open, after a day has passed. */
async function take(player: Player): Promise<void> {
  await pass(env, clock, DAY_MS);
  const due = Math.min(Math.floor((lossOf(player) * 5) / 100), 500_000);
  const { status, body } = await receive(player.member);
  expect([status, body.amount ?? body.message]).toEqual(
    player.held > 0 ? [400, 'REFUND_CONDITION'] : due === 0 ? [400, 'REFUND_MINIMUM'] : [200, due / 100],
  );
  if (status !== 200) return;
  Object.assign(player, {
    opening: player.has,
    paidIn: 0,
    paidOut: 0,
    refundBalance: player.refundBalance + due,
  });
}

async function perform(player: Player, { step, amount }: Step): Promise<void> {
  const { member } = player;
  if (step === 'deposit') {
    await deposit(member, amount);
    player.paidIn += amount * 100;
    player.has += amount * 100;
  } else if (step === 'withdraw') {
    const sum = 100 + amount;
    if ((await withdraw(member, sum)).status !== 200) return;
    Object.assign(player, {
      held: sum * 100,
      paidOut: player.paidOut + sum * 100,
      has: player.has - sum * 100,
    });
  } else if (step === 'release') await release(player);
  else if (step === 'win' || step === 'lose') await playAt(player, amount, step);
  else if (step === 'home') await transferAll(member, 'wallet');
  else if (step === 'gift') {
    if ((await activate(member, GIFT)).status === 200) player.has += 5_000;
  } else if (step === 'receive') await take(player);
  else if ((await addWallet(member)).status === 200) {
    player.has += player.refundBalance;
    player.refundBalance = 0;
  }
}

test('figures of any history are those a member would count themselves', async () => {
  const step = fc.record({ step: fc.constantFrom(...STEPS), amount: fc.integer({ min: 5, max: 300 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const member = await env.member();
      await env.owner.query("update session set expires_at = 'infinity'");
      await open(member, 'betflix');
      const player: Player = { member, opening: 0, paidIn: 0, paidOut: 0, has: 0, held: 0, refundBalance: 0 };
      await perform(player, { step: 'deposit', amount: 500 });
      for (const one of steps) {
        await perform(player, one);
        const { info } = await check(member);
        const back = Math.max(0, -player.paidOut);
        expect([one.step, info]).toMatchObject([
          one.step,
          {
            opening: player.opening / 100,
            deposits: (player.paidIn + back) / 100,
            withdrawals: (player.paidOut + back) / 100,
            balance: player.has / 100,
            loss: lossOf(player) / 100,
            received: player.refundBalance / 100,
          },
        ]);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(await verifyLedger(env.pool)).toEqual([]);
});

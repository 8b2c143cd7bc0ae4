import { decimalToMinor } from '@krapao/contract/shared';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { TRANSFER_CHECK } from '../games/read.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { refundHelpers } from '../refunds/testing-refunds.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { wheelHelpers } from '../wheel/testing-wheel.ts';
import { findWithdrawal, settleWithdrawal, WITHDRAWAL_CHECK } from '../withdrawals/read.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const env = await startTestEnv({ jobs: false });
const bonuses = bonusHelpers(env);
const games = gameHelpers(env);
const refunds = refundHelpers(env);
const wheel = wheelHelpers(env);
const operators = operatorHelpers(env);
const admin = await operators.operator('admin');
const SAVINGS = 30_000n;
const AT_ONCE = ['betflix', 'pg'] as const;
/** The game whose bets stay open until they are drawn. */
const DRAWN = 'huayhd';
const ALL = [...AT_ONCE, DRAWN];
await env.set('refresh.seconds', 0);
await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
const REFUND_PERCENT = 50n;
await env.set('refund.percent', Number(REFUND_PERCENT));
await env.set('refund.dayMax', 1_000);
await env.set('refund.successPercent', 120);
await env.set('refund.failPercent', 80);
/** Coupons of which each member has two: plain money, and money that is played through. */
const PRIZES = await Promise.all([
  wheel.prize({ kind: 'CASH', value: 2_000n }),
  wheel.prize({ kind: 'BONUS', value: 3_000n, successPercent: 120 }),
]);
const CODES = await Promise.all([
  bonuses.offer({ success_percent: 120, fail_percent: 80 }),
  bonuses.offer({
    games: { betflix: 100, huayhd: 100 },
    withdraw_max: 10_000n,
    success_percent: 110,
    fail_percent: 90,
  }),
  bonuses.offer({
    success_percent: 0,
    turnover_percent: 100,
    fail_percent: 0,
    games: { betflix: 50, pg: 100 },
  }),
  bonuses.offer({
    award: 'fixed',
    award_amount: 5_000n,
    deposit_min: null,
    success_percent: 110,
    max_received: 2,
  }),
]);
const WEIGHTS: (Record<string, number> | null)[] = [
  null,
  { betflix: 100, huayhd: 100 },
  { betflix: 50, pg: 100 },
  null,
];

/** The expected state of one member, computed independently of the server. */
interface Player {
  member: TestMember;
  paid: bigint;
  /** What settled bets have won or lost, by the games' own books. */
  won: bigint;
  staked: Record<string, bigint>;
  openStakes: bigint;
  cookie: string;
  /** As it was when a run was first seen. */
  marks: Map<string, { won: bigint; staked: Record<string, bigint> }>;
  coupons: string[];
  /** How many refunds were received, and won money and bonuses as they were at the last. */
  refunds: { count: number; mark: bigint };
}

type Op =
  | { op: 'deposit' | 'in' | 'out'; amount: number; game: number }
  | { op: 'start' | 'coupon'; code: number }
  | { op: 'rate'; game: number; rate: number }
  | {
      op:
        | 'refund'
        | 'addRefund'
        | 'clear'
        | 'forfeit'
        | 'withdraw'
        | 'withdrawAll'
        | 'release'
        | 'home'
        | 'settle';
    };
type Step =
  | { step: 'play'; game: number; stake: number; result: 'win' | 'lose' }
  | { step: 'bet'; stake: number }
  | { step: 'draw' }
  | { step: 'fault'; fault: number }
  | { step: 'together'; ops: Op[] };

/** A lost response, a refusal, and no response. */
const FAULTS = [
  { call: 'transfer', kind: 'cut-after' },
  { call: 'transfer', kind: 'refuse' },
  { call: 'balance', kind: 'outage' },
  { call: 'summary', kind: 'outage' },
];
const game = fc.nat(2);
const amount = fc.integer({ min: 10, max: 300 });
const plain = fc.constantFrom(
  'clear',
  'withdraw',
  'withdrawAll',
  'release',
  'home',
  'settle',
  'clear',
  'forfeit',
  'refund',
  'refund',
  'addRefund',
);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constantFrom('in', 'in', 'out'), amount, game }) as fc.Arbitrary<Op>,
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('deposit' as const), amount, game }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('start' as const), code: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('coupon' as const), code: fc.nat(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('rate' as const),
      game: fc.nat(1),
      // Hundredths of a credit stay whole minor units, so that a player can count along.
      rate: fc.constantFrom(1, 2, 4),
    }),
  },
  { weight: 5, arbitrary: fc.record({ op: plain }) as fc.Arbitrary<Op> },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('play' as const),
      game: fc.nat(1),
      stake: fc.integer({ min: 5, max: 200 }),
      result: fc.constantFrom('win' as const, 'lose' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('bet' as const), stake: fc.integer({ min: 5, max: 100 }) }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('draw' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('fault' as const),
      fault: fc.nat(FAULTS.length - 1),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      step: fc.constant('together' as const),
      ops: fc.array(op, { minLength: 1, maxLength: 4 }),
    }),
  },
);

async function newPlayer(): Promise<Player> {
  const member = await env.member({ amountMinor: SAVINGS });
  for (const slot of ALL) await games.open(member, slot);
  const { body } = await games.get(member, `/api/wallet/account/${DRAWN}`);
  const login = await page('login', { username: body.username, password: body.password }, '');
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  const coupons = [];
  for (const prize of [...PRIZES, ...PRIZES]) coupons.push(await wheel.giveCoupon(member, prize));
  const money = { paid: 0n, won: 0n, staked: {}, openStakes: 0n };
  return { member, ...money, cookie, marks: new Map(), coupons, refunds: { count: 0, mark: 0n } };
}

const page = (action: string, form: Record<string, string>, cookie: string) =>
  fetch(`${games.sandbox}/games/${DRAWN}/${action}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams(form).toString(),
  });

const count = (player: Player, slot: string, stake: bigint) => {
  player.staked[slot] = (player.staked[slot] ?? 0n) + stake;
};

/** What a credit of the member's account is worth. */
const rateOf = async (slot: string, member: TestMember): Promise<bigint> =>
  (await scalar(
    `select rate_micro as value from game_account where member_id = $1 and slot_code = '${slot}'`,
    member,
  )) / 1_000_000n;

/** Sets what a credit of a game is worth from now on. */
async function changeRate(slot: string, rate: number): Promise<void> {
  const { games: offers } = (await operators.call(admin, 'GET', '/api/operator/games')).body;
  const { name, state, rateLak, least, version } = offers.find((row: { code: string }) => row.code === slot);
  const intent = { name, state, rate, rateLak, least, version, reason: 'as agreed' };
  const { status } = await operators.call(admin, 'PUT', `/api/operator/games/${slot}`, intent);
  // Another change was first.
  expect([200, 400]).toContain(status);
  if (status === 200) rates.add(`${slot} ${rate}`);
}

/** One action at a game, alone, so that what it won or lost is known. */
async function atTheGame(
  player: Player,
  action: Exclude<Step, { step: 'together' | 'fault' }>,
): Promise<void> {
  const slot = action.step === 'play' ? AT_ONCE[action.game]! : DRAWN;
  const before = await games.credits(player.member, slot);
  if (action.step === 'draw') {
    await page('draw', {}, player.cookie);
    player.won += (await games.credits(player.member, slot)) - before - player.openStakes;
    count(player, slot, player.openStakes);
    player.openStakes = 0n;
    return;
  }
  const stake = BigInt(action.stake) * 100n;
  if (before < stake) return;
  if (action.step === 'bet') {
    await page('bet', { stake: String(action.stake), pick: '07' }, player.cookie);
    player.openStakes += before - (await games.credits(player.member, slot));
    return;
  }
  const rate = await rateOf(slot, player.member);
  const { balance } = await games.play(player.member, slot, action.stake, action.result);
  player.won += (decimalToMinor(balance, 2)! - before) * rate;
  count(player, slot, stake * rate);
  if (rate !== 1n) otherRates++;
}

async function release(player: Player): Promise<void> {
  const { rows } = await env.pool.query(
    "select id from withdrawal where member_id = $1 and status = 'REVIEW'",
    [player.member.id],
  );
  for (const { id } of rows) {
    const row = (await findWithdrawal(env.pool, id))!;
    await settleWithdrawal(env.app.deps, row, 'released', { actor: 'test', payoutState: null }, 'no');
  }
}

/** Begins an operation and answers its end; whatever is answered, it is never a fault of ours. */
async function perform(player: Player, intent: Op): Promise<void> {
  const { member } = player;
  const go = async () => {
    if (intent.op === 'start') return bonuses.activate(member, CODES[intent.code]!);
    if (intent.op === 'coupon') return wheel.redeem(member, player.coupons[intent.code]!);
    if (intent.op === 'refund') return refunds.receive(member);
    if (intent.op === 'addRefund') return refunds.addWallet(member);
    if (intent.op === 'in') return games.transfer(member, 'wallet', ALL[intent.game], intent.amount);
    if (intent.op === 'out') return games.transfer(member, ALL[intent.game], 'wallet', intent.amount);
    if (intent.op === 'clear') return bonuses.clear(member);
    if (intent.op === 'forfeit') return bonuses.forfeit(member);
    if (intent.op === 'home') return games.transferAll(member, 'wallet');
    if (intent.op === 'withdraw' || intent.op === 'withdrawAll')
      return bonuses.withdraw(member, 150, intent.op);
    return null;
  };
  if (intent.op === 'release') return release(player);
  if (intent.op === 'settle') return games.settle(member);
  if (intent.op === 'rate') return changeRate(AT_ONCE[intent.game]!, intent.rate);
  if (intent.op === 'deposit') {
    await bonuses.deposit(member, intent.amount);
    player.paid += BigInt(intent.amount) * 100n;
    return;
  }
  const response = await go();
  expect([intent.op, response?.status, response?.body.message]).not.toEqual([
    intent.op,
    500,
    expect.anything(),
  ]);
}

const RUNS = `select r.id, r.state, r.qualifying, r.granted, r.taken, r.success_percent, r.fail_percent, r.turnover_percent,
    r.withdraw_max, b.code from bonus_run r left join bonus b on b.id = r.bonus_id where r.member_id = $1 order by r.started_at, r.id`;

/** Rates that games have had, and how often was played at one that is not 1. */
const rates = new Set<string>();
let otherRates = 0;

/** Runs that were over when they were last looked at. */
const ended = new Map<string, string>();

/** Every run equals the model's figures. */
async function checkRuns(player: Player): Promise<void> {
  const { rows } = await env.pool.query(RUNS, [player.member.id]);
  expect(rows.filter(({ state }) => state === 'ACTIVE').length).toBeLessThan(2);
  for (const run of rows) {
    const mark = player.marks.get(run.id) ?? { won: player.won, staked: { ...player.staked } };
    const isSeen = player.marks.has(run.id) && run.state !== 'ACTIVE' && ended.has(run.id);
    player.marks.set(run.id, mark);
    if (isSeen) continue;
    const base = run.qualifying + run.granted;
    const money = base + player.won - mark.won;
    const weights: Record<string, number> | null = WEIGHTS[CODES.indexOf(run.code)]!;
    const turnover = ALL.reduce((sum, slot) => {
      const bets = (player.staked[slot] ?? 0n) - (mark.staked[slot] ?? 0n);
      return sum + (bets * BigInt(weights ? (weights[slot] ?? 0) : 100)) / 100n;
    }, 0n);
    const seen = { state: run.state, taken: run.taken };
    const above = (most: bigint) => (money > most ? money - most : 0n);
    if (run.state === 'SUCCESS') {
      expect(money * 100n).toBeGreaterThanOrEqual(base * BigInt(run.success_percent));
      expect(turnover * 100n).toBeGreaterThanOrEqual(base * BigInt(run.turnover_percent));
      expect(seen).toEqual({ ...seen, taken: run.withdraw_max ? above(run.withdraw_max) : 0n });
    }
    if (run.state === 'FAILED') {
      expect(money * 100n).toBeLessThanOrEqual(base * BigInt(run.fail_percent));
      expect(seen.taken).toBe(0n);
    }
    if (run.state === 'FORFEITED') expect(seen.taken).toBe(above(run.qualifying));
    if (run.state !== 'ACTIVE') ended.set(run.id, run.state);
  }
}

/** What bonuses of every kind put into the wallet before an entry, less what their ends took. */
const bonusesBefore = (entry: bigint, member: TestMember) =>
  scalar(
    `select coalesce(sum(p.amount), 0) as value from member m join ledger_posting p on p.account_id = m.wallet_account and p.entry_id < ${entry}
       join ledger_entry e on e.id = p.entry_id and e.kind like 'bonus\\_%' where m.id = $1`,
    member,
  );

/** Every refund is a share of what its player, by their own counting, has lost since the one before. */
async function checkRefunds(player: Player): Promise<void> {
  const { rows } = await env.pool.query(
    'select amount, entry_id from refund_period where member_id = $1 order by number offset $2',
    [player.member.id, player.refunds.count],
  );
  for (const { amount: received, entry_id } of rows) {
    const stands = player.won + (await bonusesBefore(entry_id, player.member));
    const loss = player.refunds.mark - stands;
    expect(received).toBe((loss * REFUND_PERCENT) / 100n);
    player.refunds = { count: player.refunds.count + 1, mark: stands };
    seenRefunds++;
  }
}
let seenRefunds = 0;

const scalar = async (sql: string, member: TestMember): Promise<bigint> =>
  BigInt((await env.pool.query(sql, [member.id])).rows[0].value);

/** After any history, one more run is played to its end. */
async function playOne(player: Player, result: 'win' | 'lose'): Promise<void> {
  await env.control('faults', { clear: true });
  await atTheGame(player, { step: 'draw' });
  for (const op of ['settle', 'release', 'home', 'forfeit'] as const) await perform(player, { op });
  await checkRuns(player);
  await perform(player, { op: 'deposit', amount: 100, game: 0 });
  await perform(player, { op: 'start', code: 0 });
  await checkRuns(player);
  await perform(player, { op: 'in', amount: 100, game: 0 });
  await atTheGame(player, { step: 'play', game: 0, stake: 100, result });
  await perform(player, { op: 'clear' });
  await checkRuns(player);
}

/** Savings are lost too, and a share of them comes back, once for any number of concurrent calls. */
async function refundOne(player: Player): Promise<void> {
  await perform(player, { op: 'in', amount: 200, game: 0 });
  await atTheGame(player, { step: 'play', game: 0, stake: 200, result: 'lose' });
  for (const op of ['refund', 'addRefund'] as const) {
    await Promise.all([1, 2, 3].map(() => perform(player, { op })));
    await checkRefunds(player);
    await checkRuns(player);
  }
}

/** No withdrawal succeeds during a run, and in the end each member has what they paid, won and were granted. */
async function checkMoney(player: Player): Promise<void> {
  const { member } = player;
  await env.control('faults', { clear: true });
  await atTheGame(player, { step: 'draw' });
  await games.settle(member);
  await games.transferAll(member, 'wallet');
  await games.settle(member);
  await checkRuns(player);
  const bonus = await scalar(
    'select coalesce(sum(granted - taken), 0) as value from bonus_run where member_id = $1',
    member,
  );
  const due = SAVINGS + player.paid + player.won + bonus;
  expect(await games.owned(member)).toBe(due);
  const refundBalance = await scalar(
    "select coalesce(sum(balance), 0) as value from ledger_account where kind = 'refund_purse' and member_id = $1",
    member,
  );
  const received = await scalar(
    'select coalesce(sum(amount), 0) as value from refund_period where member_id = $1',
    member,
  );
  const added = await scalar(
    "select coalesce(sum(granted), 0) as value from bonus_run where kind = 'refund' and member_id = $1",
    member,
  );
  expect(refundBalance).toBe(received - added);
  expect(
    await scalar(
      `select count(*) as value from withdrawal w join bonus_run r on r.member_id = w.member_id and r.state <> 'PLAIN'
         and w.created_at > r.started_at and w.created_at < coalesce(r.ended_at, 'infinity') where w.member_id = $1`,
      member,
    ),
  ).toBe(0n);
}

test('no order, race, silence, open bet, changed rate or transfer on its way gains what a run does not give', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45 }), async (steps) => {
      const player = await newPlayer();
      await perform(player, { op: 'deposit', amount: 100, game: 0 });
      await perform(player, { op: 'start', code: 0 });
      await checkRuns(player);
      for (const one of steps) {
        if (one.step === 'fault') {
          await env.fault({ party: 'game-f', ...FAULTS[one.fault]!, count: 1 });
        } else if (one.step === 'together') {
          // Two deposits at once would be one: a member has one open QR.
          const pays = one.ops.findIndex((intent) => intent.op === 'deposit');
          const ops = one.ops.filter((intent, i) => intent.op !== 'deposit' || i === pays);
          await Promise.all(ops.map((intent) => perform(player, intent)));
        } else await atTheGame(player, one);
        await checkRuns(player);
        await checkRefunds(player);
      }
      await playOne(player, 'lose');
      await refundOne(player);
      await playOne(player, 'win');
      await checkMoney(player);
    }),
    { numRuns: 8, seed: 48, endOnFailure: true },
  );
  expect(seenRefunds).toBeGreaterThan(0);
  expect(rates.size).toBeGreaterThan(2);
  expect(otherRates).toBeGreaterThan(0);
  const ends = [...ended.values()];
  for (const end of ['SUCCESS', 'FAILED', 'FORFEITED']) expect(ends).toContain(end);
}, 600_000);

test('the books add up', async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

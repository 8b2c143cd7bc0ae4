import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { GAME_PROVIDERS } from '../../platform/config.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { TRANSFER_CHECK } from '../games/read.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { offer, activate, clear, forfeit, active, statement } = bonusHelpers(env);
const { open, transfer, transferAll, play, refresh, gameBalance, transfers } = gameHelpers(env);
const operators = operatorHelpers(env);
await env.set('refresh.seconds', 0);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** Moves whole credits only, and pays 1.95 times the stake. */
const WHOLE = 'askmebet';

/** A member without other money whose bonus of 100.00 without a deposit is in the game of whole credits: 100.95 there. */
async function holder(change: Record<string, unknown> = {}): Promise<TestMember> {
  const member = await env.member();
  const terms = { award: 'fixed', award_amount: 10_000n, deposit_min: null };
  expect(await activate(member, await offer({ ...terms, ...change }))).toMatchObject({ status: 200 });
  await open(member, WHOLE);
  expect(await transfer(member, 'wallet', WHOLE, 100)).toMatchObject({ status: 200 });
  await play(member, WHOLE, 1, 'win');
  return member;
}

/** What the member has after the end of the run: nothing but the part of a credit that the game does not move. */
async function expectTaken(member: TestMember): Promise<void> {
  expect(await active(member)).toMatchObject({ status: false });
  expect(await env.balance(member)).toBe(0n);
  expect(await gameBalance(member, WHOLE)).toBe(95n);
  expect((await statement(member))[0]).toMatchObject({ statementType: 'finish_bonus', amount: 100 });
}

test('a run without a deposit is given up although a game moves no parts of a credit', async () => {
  const member = await holder();
  expect(await forfeit(member)).toMatchObject({ status: 200, body: { message: 'BONUS_CLEAR' } });
  await expectTaken(member);
});

test('such a run expires, and its game is emptied once', async () => {
  const member = await holder({ days: 1 });
  await env.owner.query("update session set expires_at = 'infinity'");
  await pass(env, clock, 25 * HOUR_MS);
  for (let minute = 0; minute < 2; minute++) await env.app.runJob('bonuses.expire');
  await expectTaken(member);
  expect((await transfers(member)).filter(({ direction }) => direction === 'OUT')).toHaveLength(1);
});

test('an operator ends such a run, and what the game does not move counts as nothing given', async () => {
  const member = await holder();
  const som = await operators.operator('finance');
  await env.set('desk.makerChecker', true);
  const path = `/api/operator/members/${member.id}/run/end`;
  const { rows: runs } = await env.pool.query('select id from bonus_run where member_id = $1', [member.id]);
  const ended = await operators.call(som, 'POST', path, {
    run: runs[0].id,
    outcome: 'forfeit',
    figures: 'fresh',
    reason: 'as agreed',
  });
  expect(ended).toMatchObject({ status: 200, body: { state: 'FORFEITED', taken: 100, approval: null } });
  await expectTaken(member);
  const { rows } = await env.pool.query('select 1 from small_action where operator_id = $1', [som.id]);
  expect(rows).toEqual([]);
});

test('a won run ends although what is above its maximum is in part such a fraction', async () => {
  const member = await holder({ success_percent: 0, turnover_percent: 1, withdraw_max: 1n });
  expect(await clear(member)).toMatchObject({ status: 200 });
  await expectTaken(member);
});

test('the fraction left of a run is not bound by the next', async () => {
  const member = await holder();
  const terms = { award: 'fixed', award_amount: 500n, deposit_min: null };
  expect(await forfeit(member)).toMatchObject({ status: 200 });
  expect(await activate(member, await offer(terms))).toMatchObject({ status: 200 });
  expect(await forfeit(member)).toMatchObject({ status: 200 });
  expect((await statement(member))[0]).toMatchObject({ statementType: 'finish_bonus', amount: 5 });
  expect(await gameBalance(member, WHOLE)).toBe(95n);
});

test('a fraction in a game that is not allowed keeps no bonus from starting; a whole credit does', async () => {
  const member = await env.member({ amountMinor: 10_000n });
  await open(member, WHOLE);
  await transfer(member, 'wallet', WHOLE, 1);
  await play(member, WHOLE, 1, 'win');
  await refresh(member);
  const code = await offer({
    award: 'fixed',
    award_amount: 500n,
    deposit_min: null,
    games: { betflix: 100 },
  });
  expect(await activate(member, code)).toMatchObject({ status: 400, body: { message: 'BONUS_REMAINING' } });
  await transferAll(member, 'wallet');
  expect(await gameBalance(member, WHOLE)).toBe(95n);
  expect(await activate(member, code)).toMatchObject({ status: 200 });
  expect(await active(member)).toMatchObject({ base: 5, balance: 5 });
});

test('the database knows the smallest part of a credit that each provider moves', async () => {
  for (const adapter of Object.keys(GAME_PROVIDERS)) {
    const { creditDecimals } = env.app.deps.providerOf({ adapter, agent: 'any' }).capabilities;
    const { rows } = await env.pool.query('select game_credit_step($1) as step', [adapter]);
    expect(rows).toEqual([{ step: 10n ** BigInt(2 - creditDecimals) }]);
  }
});

import { HOUR_MS } from '@krapao/contract/durations';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdQuery } from '../../testing/hold.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { TRANSFER_CHECK } from '../games/read.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { refundHelpers } from '../refunds/testing-refunds.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { WITHDRAWAL_CHECK } from '../withdrawals/read.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { offer, deposit, list, activate, clear, forfeit, active, minimum, withdraw, statement, inOneTurn } =
  bonusHelpers(env);
const { open, transfer, play, transferAll, settle, refresh } = gameHelpers(env);
const { openBet } = refundHelpers(env);
const money = (minor: bigint) => Number(minor) / 100;
const outcomes = (responses: { status: number; body: { message?: string } }[]) =>
  responses.map(({ status, body }) => (status === 200 ? 'done' : body.message)).toSorted();

/** A member with savings of 300.00, a deposit of 100.00, Naga Tales opened and this bonus received. */
async function runner(change: Record<string, unknown> = {}): Promise<TestMember> {
  const member = await env.member({ amountMinor: 30_000n });
  await open(member, 'betflix');
  await deposit(member, 100);
  expect(await activate(member, await offer(change))).toMatchObject({ status: 200 });
  return member;
}

/** Hours pass; sessions stay open. */
async function later(hours: number) {
  await env.owner.query("update session set expires_at = 'infinity'");
  await pass(env, clock, hours * HOUR_MS);
}

/** Brings game money to so much by one round. */
async function win(member: TestMember, stake: number, result: 'win' | 'lose') {
  await transfer(member, 'wallet', 'betflix', stake);
  await play(member, 'betflix', stake, result);
}

describe('receiving a bonus', () => {
  test('grants the money, shows card and progress, and its statement row names it', async () => {
    const member = await env.member({ amountMinor: 30_000n });
    await deposit(member, 100);
    const code = await offer();
    const card = async () => (await list(member)).body.find((one: { code: string }) => one.code === code);
    expect(await card()).toMatchObject({
      type: 'limit',
      maxReceived: 100,
      percentFail: 10,
      banners: [{ image: '/art/x.svg', html: '<b>ก</b>' }],
      userBonus: null,
    });
    expect(await active(member)).toEqual({ status: false, type: null });
    expect(await minimum(member)).toEqual({ status: false, minimum: 0, amount: 0 });
    const response = await activate(member, code);
    expect(response).toMatchObject({ status: 200, body: { isActive: true, received: [{}] } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { statementId, ...received } = response.body;
    expect((await card()).userBonus).toEqual(received);
    expect(await env.balance(member)).toBe(50_000n);
    expect(await active(member)).toMatchObject({
      status: true,
      type: 'bonus',
      name: 'โบนัสทดสอบ',
      base: 200,
      balance: 200,
      target: 400,
      floor: 20,
      turnover: 0,
      turnoverNeeded: 0,
    });
    expect(await minimum(member)).toEqual({ status: false, minimum: 20, amount: 200 });
    expect((await statement(member))[0]).toMatchObject({
      id: statementId,
      statementType: 'bonus',
      status: 'SUCCESS',
      amount: 100,
      from: 'bonus',
      to: 'wallet',
      bonus: { description: 'โบนัสทดสอบ' },
    });
    expect((await activate(member, code)).body.message).toBe('BONUS_ALREADY_ACTIVE');
  });

  test('needs a fresh deposit in range that backed nothing yet and that nothing was withdrawn after', async () => {
    const member = await env.member({ amountMinor: 30_000n });
    const range = { message: 'BONUS_DEPOSIT_REQUIRED', data: { min: 10, max: 200 } };
    const code = await offer({ deposit_max: 20_000n, success_percent: 0 });
    expect((await activate(member, code)).body).toEqual(range);
    await deposit(member, 201);
    expect((await activate(member, code)).body).toEqual(range);
    await deposit(member, 50);
    expect(await activate(member, code)).toMatchObject({ status: 200, body: { isActive: false } });
    expect((await activate(member, code)).body).toEqual(range);
    await deposit(member, 60);
    await withdraw(member, 100);
    expect((await activate(member, code)).body.message).toBe('BONUS_REMAINING');
    await env.owner.query("update withdrawal set status = 'SUCCESS' where member_id = $1", [member.id]);
    expect((await activate(member, code)).body).toEqual(range);
    await env.owner.query("update withdrawal set status = 'REVIEW' where member_id = $1", [member.id]);
    const late = await env.member();
    await deposit(late, 100);
    await later(25);
    expect((await activate(late, code)).body).toEqual(range);
    expect((await activate(late, 'NOTHING')).body.message).toBe('NO_DATA');
  });

  test('ends with the day at midnight in Bangkok when it may be received once a day', async () => {
    const member = await env.member();
    const code = await offer({
      award: 'fixed',
      award_amount: 500n,
      deposit_min: null,
      success_percent: 0,
      count_by: 'day',
      max_received: 1,
    });
    expect((await activate(member, code)).status).toBe(200);
    expect((await activate(member, code)).body.message).toBe('BONUS_MAX_CLAIMED');
    await later(24);
    expect((await activate(member, code)).status).toBe(200);
    expect(await env.balance(member)).toBe(1_000n);
  });

  test('forty at once start one run, by one deposit', async () => {
    const member = await env.member({ amountMinor: 30_000n });
    await deposit(member, 100);
    const codes = [await offer(), await offer()];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => activate(member, codes[i % 2]!)),
    );
    expect(outcomes(responses)).toEqual([...Array(39).fill('BONUS_ALREADY_ACTIVE'), 'done']);
    expect(await env.balance(member)).toBe(50_000n);
  });

  test('and a concurrent withdrawal never both happen', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await env.member({ amountMinor: 30_000n });
      await deposit(member, 100);
      const code = await offer();
      const [start, out] = await Promise.all([activate(member, code), withdraw(member, 100)]);
      expect(outcomes([start, out])).toContain('done');
      expect(outcomes([start, out])).toContain('BONUS_REMAINING');
    }
  });

  test.each([
    ['withdrawal_hold', 'bonus_granted'],
    ['bonus_granted', 'withdrawal_hold'],
  ])('guard blind to its own batch: of %s and %s posted at once one is refused', async (first, second) => {
    const [member, code] = [await env.member(), await offer()];
    await deposit(member, 100);
    inOneTurn(first, second);
    const responses = await Promise.all([activate(member, code), withdraw(member, 100)]);
    expect(outcomes(responses).filter((one) => one === 'done')).toHaveLength(1);
  });

  test('and money sent at once into a game that is not allowed never both happen', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await env.member({ amountMinor: 30_000n });
      for (const slot of ['betflix', 'imi']) await open(member, slot);
      await deposit(member, 100);
      const code = await offer({ games: { betflix: 100 } });
      const both = await Promise.all([activate(member, code), transfer(member, 'wallet', 'imi', 50)]);
      expect(outcomes(both).filter((one) => one === 'done')).toHaveLength(1);
    }
  });

  test('a call without a session, a prefetch and a HEAD receive nothing', async () => {
    const member = await env.member();
    const code = await offer({ award: 'fixed', award_amount: 500n, deposit_min: null });
    const path = `/api/bonus/activate/${code}`;
    expect((await env.call('GET', path)).body.message).toBe('invalid-token');
    const headers = { 'sec-purpose': 'prefetch' };
    expect((await env.call('GET', path, undefined, { token: member.token, headers })).status).toBe(503);
    expect((await env.call('HEAD', path, undefined, { token: member.token })).status).toBe(404);
    expect(await env.balance(member)).toBe(0n);
    expect((await env.call('POST', path, {}, { token: member.token })).status).toBe(200);
  });

  test('waits for money in games that are not allowed, on its way, in bets, or out of sight', async () => {
    const member = await env.member({ amountMinor: 30_000n });
    await open(member, 'betflix');
    await deposit(member, 100);
    const [code, other] = [await offer(), await offer({ games: { imi: 100 } })];
    await transfer(member, 'wallet', 'betflix', 10);
    expect((await activate(member, other)).body).toEqual({
      message: 'BONUS_REMAINING',
      data: { games: ['betflix'] },
    });
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    expect((await activate(member, code)).body.message).toBe('PROVIDER_UNAVAILABLE');
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    await transfer(member, 'betflix', 'wallet', 5);
    expect((await activate(member, code)).body).toEqual({ message: 'BONUS_REMAINING' });
    await settle(member);
    expect((await activate(member, code)).status).toBe(200);
  });
});

test('an offer names the games with money that it does not allow, and its amount as before', async () => {
  const member = await env.member({ amountMinor: 30_000n });
  await open(member, 'betflix');
  await deposit(member, 100);
  const code = await offer({ games: { imi: 100 } });
  const card = async () => (await list(member)).body.find((one: { code: string }) => one.code === code);
  expect(await card()).toMatchObject({ now: { amount: 100 }, moveOutOf: [] });
  await transfer(member, 'wallet', 'betflix', 10);
  // Older builds of the app would ask for another deposit without the amount.
  expect(await card()).toMatchObject({ now: { amount: 100 }, moveOutOf: ['betflix'] });
  await transferAll(member, 'wallet');
  expect(await card()).toMatchObject({ now: { amount: 100 }, moveOutOf: [] });
});

describe('a run', () => {
  test('keeps withdrawals and other games out, and ends only when won or lost', async () => {
    const member = await runner({ games: { betflix: 100 } });
    await open(member, 'imi');
    for (const path of ['withdraw', 'withdrawAll'])
      expect((await withdraw(member, 100, path)).body.message).toBe('BONUS_REMAINING');
    expect((await transfer(member, 'wallet', 'imi', 10)).body.message).toBe('BONUS_REMAINING');
    expect((await transferAll(member, 'imi')).body.message).toBe('BONUS_REMAINING');
    const condition = { base: 200, balance: 200, target: 400, floor: 20, turnover: 0, turnoverNeeded: 0 };
    expect(await clear(member)).toMatchObject({
      status: 400,
      body: { message: 'BONUS_CONDITION', data: condition },
    });
    // Neither savings nor a later deposit buy the target.
    await deposit(member, 500);
    expect((await clear(member)).body.data).toEqual(condition);
    expect((await active(member)).status).toBe(true);
  });

  test('won: takes what is above the maximum, sweeps games to the wallet, leaves savings', async () => {
    const member = await runner({ withdraw_max: 45_000n });
    await win(member, 400, 'win');
    await refresh(member);
    const { balance } = await active(member);
    expect(balance).toBeGreaterThanOrEqual(400);
    const taken = Math.max(0, balance - 450);
    const { body } = await clear(member);
    expect(body).toMatchObject({ message: 'BONUS_CLEAR', state: 'SUCCESS' });
    expect(body.taken).toBeCloseTo(taken, 2);
    expect(body.left).toBeCloseTo(balance - taken, 2);
    expect((await statement(member)).find((row) => row.statementType === 'finish_bonus')!.amount).toBeCloseTo(
      taken,
      2,
    );
    expect((await clear(member)).body.message).toBe('NO_DATA');
    await transferAll(member, 'wallet');
    expect(money(await env.balance(member))).toBeCloseTo(300 + balance - taken, 2);
    expect((await withdraw(member, 100)).status).toBe(200);
  });

  test('lost: the rest stays the member’s', async () => {
    const member = await runner();
    await win(member, 190, 'lose');
    expect((await clear(member)).body).toEqual({
      message: 'BONUS_CLEAR',
      state: 'FAILED',
      taken: 0,
      left: 10,
    });
    expect(await env.balance(member)).toBe(31_000n);
    expect((await statement(member))[0]).toMatchObject({ statementType: 'finish_bonus', amount: 0 });
  });

  test('a transfer on the way does not sham the floor, and silence decides nothing', async () => {
    const member = await runner();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    await transfer(member, 'wallet', 'betflix', 200);
    expect((await clear(member)).body).toMatchObject({ message: 'BONUS_CONDITION', data: { balance: 200 } });
    await settle(member);
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    expect((await clear(member)).body.message).toBe('PROVIDER_UNAVAILABLE');
    expect((await active(member)).balance).toBe(200);
  });

  test('requires bets in allowed games at their weight', async () => {
    const member = await runner({ success_percent: 0, turnover_percent: 100, games: { betflix: 50 } });
    await transfer(member, 'wallet', 'betflix', 300);
    expect((await clear(member)).body.data).toMatchObject({ turnover: 0, turnoverNeeded: 200 });
    await play(member, 'betflix', 300, 'win');
    expect((await clear(member)).body.data).toMatchObject({ turnover: 150, turnoverNeeded: 200 });
    await play(member, 'betflix', 100, 'win');
    expect((await clear(member)).body).toMatchObject({ message: 'BONUS_CLEAR', state: 'SUCCESS' });
  });

  test('given up: bonus and winnings go, deposit and savings stay, once however often', async () => {
    const member = await runner();
    const responses = await Promise.all(Array.from({ length: 40 }, () => forfeit(member)));
    expect(outcomes(responses)).toEqual([...Array(39).fill('NO_DATA'), 'done']);
    expect(await env.balance(member)).toBe(40_000n);
    await env.set('bonus.allowForfeit', false);
    expect((await forfeit(member)).status).toBe(403);
    await env.set('bonus.allowForfeit', true);
  });

  test('giving up takes no more than was shown', async () => {
    const member = await runner();
    await win(member, 400, 'win');
    const { balance, deposit: own } = await active(member);
    const shown = balance - own;
    const refused = await forfeit(member, shown);
    expect(refused).toMatchObject({ status: 400, body: { message: 'BONUS_TAKES_MORE' } });
    const { takes, balance: fresh } = refused.body.data;
    expect(takes).toBeGreaterThan(shown);
    expect(takes).toBeCloseTo(fresh - own, 2);
    expect(await active(member)).toMatchObject({ status: true, balance: fresh });
    const ended = await forfeit(member, takes);
    expect(ended.body).toEqual({ message: 'BONUS_CLEAR', state: 'FORFEITED', taken: takes, left: own });
  });

  test('a won run takes no more above its maximum than was shown', async () => {
    const member = await runner({ withdraw_max: 30_000n });
    await win(member, 400, 'win');
    const refused = await clear(member, 0);
    expect(refused).toMatchObject({ status: 400, body: { message: 'BONUS_TAKES_MORE' } });
    const { takes } = refused.body.data;
    expect((await active(member)).status).toBe(true);
    expect((await clear(member, takes)).body).toMatchObject({ state: 'SUCCESS', taken: takes, left: 300 });
  });

  test('winnings read between the decision and its booking are not taken beyond what was shown', async () => {
    const member = await runner();
    const { ledger } = env.app.deps;
    const post = ledger.post.bind(ledger);
    const spy = vi.spyOn(ledger, 'post').mockImplementation(async (item) => {
      if (item.kind === 'bonus_taken') {
        spy.mockRestore();
        await win(member, 400, 'win');
        await refresh(member);
      }
      return post(item);
    });
    onTestFinished(() => spy.mockRestore());
    const refused = await forfeit(member, 100);
    expect(refused.body.message).toBe('BONUS_TAKES_MORE');
    expect(refused.body.data.takes).toBeGreaterThan(100);
    expect((await active(member)).status).toBe(true);
  });

  test('forty ends at once are one', async () => {
    const member = await runner();
    await win(member, 190, 'lose');
    const responses = await Promise.all(Array.from({ length: 40 }, () => clear(member)));
    expect(outcomes(responses)).toEqual([...Array(39).fill('NO_DATA'), 'done']);
  });

  test('is over with its time, and waits for a silent game until it answers', async () => {
    const member = await runner({ days: 1 });
    await later(25);
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    await env.app.runJob('bonuses.expire');
    expect((await active(member)).status).toBe(true);
    await env.app.runJob('bonuses.expire');
    expect((await active(member)).status).toBe(false);
    expect(await env.balance(member)).toBe(40_000n);
  });

  test('that ends while operators are being alerted to it leaves no open alert', async () => {
    const member = await runner({ days: 1 });
    await later(49);
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
    const alert = holdQuery(env.app.deps.pool, 'alert_open');
    const expiring = env.app.runJob('bonuses.expire');
    await alert.held;
    await env.control('faults', { clear: true });
    await env.app.runJob('bonuses.expire');
    expect((await active(member)).status).toBe(false);
    alert.release();
    await expiring;
    const sql = "select 1 from alert where kind = 'bonus-stuck' and closed_at is null";
    expect((await env.pool.query(sql)).rows).toEqual([]);
  });

  test('won past its time: its end takes what its time takes, as shown, and until then no money goes into a game', async () => {
    const member = await env.member();
    await open(member, 'betflix');
    await deposit(member, 100);
    await activate(member, await offer({ days: 1, success_percent: 101 }));
    await win(member, 100, 'win');
    await transfer(member, 'betflix', 'wallet', 100);
    // More than what is behind the run: its time cannot take all that it must.
    const draw = await openBet(member, 150);
    await later(25);
    await env.app.runJob('bonuses.expire');
    expect((await active(member)).status).toBe(true);
    expect(await transfer(member, 'wallet', 'betflix', 50)).toMatchObject({
      status: 400,
      body: { message: 'BONUS_REMAINING' },
    });
    expect(await clear(member)).toMatchObject({ status: 400, body: { message: 'BONUS_CONDITION' } });
    await draw();
    await refresh(member);
    const taken = (await active(member)).balance - 100;
    expect(taken).toBeGreaterThan(0);
    expect(await clear(member, taken - 0.01)).toMatchObject({
      status: 400,
      body: { message: 'BONUS_TAKES_MORE', data: { takes: taken } },
    });
    expect(await clear(member, taken)).toMatchObject({ status: 200, body: { state: 'EXPIRED', taken } });
    expect((await active(member)).status).toBe(false);
    expect(money(await env.balance(member))).toBe(100);
  });

  test('starvation: is over although two hundred that ended before it cannot be ended', async () => {
    const member = await runner({ days: 1 });
    await later(25);
    // Runs of members without a wallet cannot be ended.
    const superuser = new pg.Client({ ...env.owner.options, user: 'postgres' });
    await superuser.connect();
    await superuser.query(`
      set session_replication_role = replica;
      insert into member (id, phone, name, password_hash, password_changed_at, currency, source_code, wallet_account, hold_account, coin_account, created_at)
        overriding system value
        select -n, 'stuck' || n, 'Stuck', 'x', now(), 'BAHT', 'other', -n, -n, -n, now() from generate_series(1, 200) n;
      insert into bonus_run (id, member_id, entry_id, kind, label, state, granted, qualifying, success_percent, fail_percent, turnover_percent, unbound, wallet_account, started_at, expires_at)
        select 'BNSTUCK' || n, -n, 0, 'bonus', 'x', 'ACTIVE', 100, 100, 0, 0, 0, 0, -n, '2020-01-01', '2020-01-02' from generate_series(1, 200) n`);
    for (let minute = 0; minute < 2; minute++) await env.app.runJob('bonuses.expire').catch(() => undefined);
    await superuser.query("delete from bonus_run where id like 'BNSTUCK%'; delete from member where id < 0");
    await superuser.end();
    expect((await active(member)).status).toBe(false);
  });
});

test('the books add up', async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

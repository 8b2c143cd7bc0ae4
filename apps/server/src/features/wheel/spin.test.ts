import { DAY_MS } from '@krapao/contract/durations';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pass, pushedClock } from '../testing.ts';
import { wheelHelpers, wheelNotices } from './testing-wheel.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { putUp, coinsOf, giveCoins, setup, spin, coupons, prize, giveCoupon, redeem } = wheelHelpers(env);
const { deposit, withdraw } = bonusHelpers(env);
const { open, transfer, play, transferAll } = gameHelpers(env);

const outcomes = (responses: { body: { success: boolean; error?: string } }[]) =>
  responses.map(({ body }) => (body.success ? 'won' : body.error)).toSorted();
const many = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

describe('the wheel', () => {
  test('shows its slices, keeps its weights to itself, and follows the switch', async () => {
    const member = await env.member();
    await putUp([{ weight: 3, kind: 'CASH', value: 2_000n }, { weight: 1 }], 2);
    const isActive = async () =>
      (await env.call('GET', '/api/spinwheel/active', undefined, { token: member.token })).body;
    expect(await isActive()).toEqual({ isActive: true, coupons: 0 });
    const { activeSpinwheel, userCoin } = await setup(member);
    expect(userCoin).toBe(0);
    expect(activeSpinwheel).toEqual({
      version: expect.stringMatching(/^\d+\.1$/),
      name: 'Wheel th',
      costPerSpin: 2,
      slices: ['A', 'B'].map((code) => ({
        code,
        label: `${code} th`,
        bgColor: '#112233',
        textColor: '#ffffff',
        htmlDescription: '<b>x</b> th',
      })),
    });
    await env.set('wheel.odds', true);
    const { slices } = (await setup(member)).activeSpinwheel;
    expect(slices.map((slice: { odds: number }) => slice.odds)).toEqual([75, 25]);
    await env.set('wheel.odds', false);
    await env.set('wheel.active', false);
    const given = await prize({ kind: 'CASH', value: 100n });
    const coupon = await giveCoupon(member, given);
    expect(await isActive()).toEqual({ isActive: false, coupons: 1 });
    expect((await redeem(member, coupon)).body).toMatchObject({ success: true });
    expect(await isActive()).toEqual({ isActive: false, coupons: 0 });
    expect((await setup(member)).activeSpinwheel).toBeNull();
    expect((await spin(member)).body).toEqual({ success: false, error: 'SPINWHEEL_INACTIVE' });
  });

  test('takes the coins, tells the slice, and its prize is a coupon', async () => {
    const member = await env.member();
    await giveCoins(member, 5);
    await putUp([{ kind: 'CASH', value: 2_000n }, { weight: 0 }], 2);
    expect((await spin(member)).body).toMatchObject({
      success: true,
      result: { code: 'A', label: 'A th', remainingCoin: 3, prize: { kind: 'CASH' } },
    });
    expect(await coupons(member)).toMatchObject([
      { prize: { slice: 'A' }, kind: 'CASH', amount: 1, value: 20, terms: null },
    ]);
    await putUp([{}]);
    expect((await spin(member)).body.result).toMatchObject({ prize: null, remainingCoin: 2 });
    expect(await coupons(member)).toHaveLength(1);
  });

  test('without coins is NOT_ENOUGH_COIN under a key as without one, one by one and at once', async () => {
    const member = await env.member();
    await putUp([{}]);
    const keyed = (key?: string) =>
      env.call('POST', '/api/spinwheel/spin', undefined, { token: member.token, ...(key ? { key } : {}) });
    const responses = [await keyed(), await keyed('coins-0001'), await keyed('coins-0001')];
    responses.push(...(await many(5, () => keyed('coins-0002'))));
    for (const { body } of responses) expect(body).toEqual({ success: false, error: 'NOT_ENOUGH_COIN' });
  });

  test('of a wheel that changed after it was shown takes nothing, and its repeat has the response of the first', async () => {
    const member = await env.member();
    await giveCoins(member, 20);
    const shown = async () => (await setup(member)).activeSpinwheel.version;
    await putUp([{}], 1);
    const first = await shown();
    expect((await spin(member, 'wheel-0001', first)).body).toMatchObject({ success: true });
    // One that costs more, and one of the same cost with other prizes.
    for (const [slices, cost] of [[[{}], 10] as const, [[{}, {}], 1] as const]) {
      await putUp([...slices], cost);
      for (const key of [undefined, `wheel-at-${cost}`])
        expect((await spin(member, key, first)).body).toEqual({ success: false, error: 'SPINWHEEL_CHANGED' });
    }
    expect(await coinsOf(member)).toBe(19);
    expect((await spin(member, 'wheel-0001', await shown())).body).toMatchObject({ success: true });
    expect(await coinsOf(member)).toBe(19);
    expect((await spin(member, 'wheel-0002', await shown())).body).toMatchObject({ success: true });
    expect(await coinsOf(member)).toBe(18);
  });

  test('ten at once under keys draw from a stock of one, and each gets a public code', async () => {
    const members = await Promise.all(Array.from({ length: 10 }, () => env.member()));
    for (const member of members) await giveCoins(member, 1);
    await putUp([{ kind: 'CASH', value: 100n, stock: 1n }, {}]);
    const responses = await Promise.all(
      members.map(({ token }) =>
        env.call('POST', '/api/spinwheel/spin', undefined, { token, key: 'stock-0001' }),
      ),
    );
    for (const { body } of responses) expect(body).toMatchObject({ success: true });
  });

  test('ten at once with three coins are three spins', async () => {
    const member = await env.member();
    await giveCoins(member, 3);
    await putUp([{ kind: 'COIN', value: 1n }, {}]);
    const responses = await many(10, () => spin(member));
    expect(outcomes(responses)).toEqual([...Array(7).fill('NOT_ENOUGH_COIN'), 'won', 'won', 'won']);
    expect(await coinsOf(member)).toBe(0);
    expect(
      responses
        .filter(({ body }) => body.success)
        .map(({ body }) => body.result.remainingCoin)
        .toSorted(),
    ).toEqual([0, 1, 2]);
  });

  test('forty at once with one coin are one spin, and a repeat with the key shows the same', async () => {
    const member = await env.member();
    await giveCoins(member, 40);
    await putUp(Array.from({ length: 12 }, () => ({})));
    const [first, ...rest] = await many(40, () => spin(member, 'the-same-intent'));
    for (const one of rest) expect(one.body).toEqual(first!.body);
    expect(await coinsOf(member)).toBe(39);
    const poor = await env.member();
    await giveCoins(poor, 1);
    expect(outcomes(await many(40, () => spin(poor))).filter((one) => one === 'won')).toHaveLength(1);
    const refused = await spin(poor, 'a-refused-intent');
    await giveCoins(poor, 1);
    expect((await spin(poor, 'a-refused-intent')).body).toEqual(refused.body);
  });

  test('a prize out of stock is never won, not even the last one by concurrent spins', async () => {
    const members = await many(20, () => env.member());
    for (const member of members) await giveCoins(member, 4);
    const [prize] = await putUp([{ weight: 1000, kind: 'ITEM', stock: 3n }, { weight: 1 }]);
    const responses = await many(60, (i) => spin(members[i % 20]!));
    const codes = responses.map(({ body }) => body.result.code);
    expect(codes.filter((code) => code === 'A')).toHaveLength(3);
    expect((await spin(members[0]!)).body.result.code).toBe('B');
    const { rows } = await env.owner.query(
      'select won, (select count(*)::int from coupon where prize_id = p.id) as coupons from prize p where id = $1',
      [prize],
    );
    expect(rows).toEqual([{ won: 3n, coupons: 3 }]);
    await putUp([{ kind: 'ITEM', stock: 0n }]);
    expect((await spin(members[0]!)).body.error).toBe('SPINWHEEL_INACTIVE');
  });

  test('a withdrawn prize is not won: its coupon could not be redeemed', async () => {
    const member = await env.member();
    await giveCoins(member, 20);
    const [prize] = await putUp([{ weight: 1000, kind: 'CASH', value: 100n }, { weight: 1 }]);
    expect((await spin(member)).body.success).toBe(true);
    await env.owner.query('update prize set withdrawn_at = now() where id = $1', [prize]);
    const responses = await many(10, () => spin(member));
    expect(new Set(responses.map(({ body }) => body.result.code))).toEqual(new Set(['B']));
    await env.owner.query('update prize set withdrawn_at = null where id = $1', [prize]);
  });

  test('is refused without a session and to members who may not play', async () => {
    await putUp([{}]);
    expect((await env.call('POST', '/api/spinwheel/spin')).body.message).toBe('invalid-token');
    const member = await env.member();
    await giveCoins(member, 1);
    await env.call('POST', '/api/limits/break', { length: '24h' }, { token: member.token });
    const { body } = await spin(member);
    expect(body).toMatchObject({
      success: false,
      error: 'SELF_EXCLUDED',
      data: { until: expect.any(String) },
    });
    expect(await coinsOf(member)).toBe(1);
  });
});

describe('coins', () => {
  test('come with deposits: one for each hundred, summed by the day, at most ten', async () => {
    await putUp([{}]);
    const member = await env.member();
    await deposit(member, 60);
    expect((await setup(member)).userCoin).toBe(0);
    await deposit(member, 140);
    expect((await setup(member)).userCoin).toBe(2);
    await many(10, () => setup(member));
    await env.app.runJob('coins.reckon');
    expect(await coinsOf(member)).toBe(2);
    await deposit(member, 5000);
    await env.app.runJob('coins.reckon');
    expect(await coinsOf(member)).toBe(10);
    await env.owner.query("update session set expires_at = 'infinity'");
    await pass(env, clock, DAY_MS);
    await deposit(member, 100);
    await many(40, () => env.app.runJob('coins.reckon'));
    expect(await coinsOf(member)).toBe(11);
  });

  test('that arrive or are spent notify the open screens', async () => {
    await putUp([{}]);
    const member = await env.member();
    const coinNotices = await wheelNotices(env, member);
    await deposit(member, 200);
    await env.app.runJob('coins.reckon');
    await until(async () => coinNotices() === 1);
    expect(await coinsOf(member)).toBe(2);
    await spin(member);
    await until(async () => coinNotices() === 2);
    expect((await spin(member, 'a-spin-repeated')).body).toEqual(
      (await spin(member, 'a-spin-repeated')).body,
    );
    expect((await spin(member)).body.error).toBe('NOT_ENOUGH_COIN');
    await deposit(member, 100);
    await env.app.runJob('coins.reckon');
    await until(async () => coinNotices() === 4);
  });

  test('come with gifts as with any deposit, and not with manual entries', async () => {
    await putUp([{}]);
    const member = await env.member({ amountMinor: 100_000n });
    const { link } = await env.control('vouchers', { amount: 250, phone: '0815550142' });
    const gift = await env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
    expect(gift.body.status).toBe('SUCCESS');
    expect((await setup(member)).userCoin).toBe(2);
  });

  test('of a deposit taken back are taken back as far as they are unspent', async () => {
    await putUp([{}]);
    const member = await env.member();
    const [first] = [await deposit(member, 300), await deposit(member, 200)];
    await spin(member);
    await spin(member);
    await spin(member);
    await env.owner.query("update deposit set reversal_id = 'RVTEST' where id = $1", [first]);
    await env.app.runJob('coins.reckon');
    expect(await coinsOf(member)).toBe(0);
  });

  test('are not counted while no wheel turns', async () => {
    await env.set('wheel.active', false);
    const member = await env.member();
    await deposit(member, 500);
    expect((await setup(member)).userCoin).toBe(0);
    await env.app.runJob('coins.reckon');
    expect(await coinsOf(member)).toBe(0);
  });
});

describe('coins of a day', () => {
  test('taken twice: a deposit that earned none, taken back, leaves those of the others', async () => {
    await putUp([{}]);
    await env.set('wheel.active', false);
    const member = await env.member();
    const uncounted = await deposit(member, 300);
    await env.set('wheel.active', true);
    const counted = await deposit(member, 300);
    expect((await setup(member)).userCoin).toBe(3);
    await env.owner.query("update deposit set reversal_id = 'RVTEST' where id = $1", [uncounted]);
    expect((await setup(member)).userCoin).toBe(3);
    await env.owner.query("update deposit set reversal_id = 'RVTEST' where id = $1", [counted]);
    expect((await setup(member)).userCoin).toBe(0);
  });

  test('given twice: a deposit taken back and credited again on another day earns no coins a second time', async () => {
    await putUp([{}]);
    for (const spent of [3, 0]) {
      const member = await env.member();
      const first = await deposit(member, 300);
      expect((await setup(member)).userCoin).toBe(3);
      for (let turn = 0; turn < spent; turn++) await spin(member);
      await env.owner.query("update deposit set reversal_id = 'RVTEST' where id = $1", [first]);
      expect((await setup(member)).userCoin).toBe(0);
      const again = `DPAGAIN${spent}`;
      await env.owner.query(
        `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
         select $2, member_id, 'MANUAL', bank_code, bank_reference, amount, from_stranger, entry_id, created_at + interval '2 days'
         from deposit where id = $1`,
        [first, again],
      );
      expect((await setup(member)).userCoin).toBe(3 - spent);
      await env.owner.query("update deposit set reversal_id = 'RVTEST' where id = $1", [again]);
      expect((await setup(member)).userCoin).toBe(0);
    }
  });

  test('taken by a changed setting: what was given for deposits stays when coins become dearer', async () => {
    await putUp([{}]);
    const member = await env.member();
    const first = await deposit(member, 600);
    expect((await setup(member)).userCoin).toBe(6);
    await env.set('coin.deposit', { BAHT: 200, LAK: 140_000 });
    onTestFinished(() => env.set('coin.deposit', { BAHT: 100, LAK: 70_000 }));
    await deposit(member, 100);
    expect((await setup(member)).userCoin).toBe(6);
    await deposit(member, 900);
    expect((await setup(member)).userCoin).toBe(8);
    await env.owner.query("update deposit set reversal_id = 'RVTEST' where id = $1", [first]);
    expect((await setup(member)).userCoin).toBe(5);
  });
});

describe('money withdrawn', () => {
  const unplayed = async (member: TestMember) => {
    const { rows } = await env.owner.query(
      'select w.status, u.amount from withdrawal w left join withdrawal_unplayed u on u.withdrawal_id = w.id where member_id = $1 order by w.id desc limit 1',
      [member.id],
    );
    return rows[0];
  };
  const coinsNow = async (member: TestMember) => {
    await env.app.runJob('coins.reckon');
    return coinsOf(member);
  };

  beforeAll(() => env.set('withdraw.playedTimes', 1));

  test('without having been bet waits for an operator and deducts its coins, until it is returned', async () => {
    await putUp([{}]);
    const member = await env.member();
    await deposit(member, 300);
    expect(await coinsNow(member)).toBe(3);
    await spin(member);
    expect((await withdraw(member, 200)).status).toBe(200);
    expect(await unplayed(member)).toEqual({ status: 'REVIEW', amount: 20_000n });
    expect(await coinsNow(member)).toBe(0);
    await env.owner.query("update withdrawal set status = 'FAILED' where member_id = $1", [member.id]);
    expect(await coinsNow(member)).toBe(2);
    await env.owner.query("update withdrawal set status = 'REVIEW' where member_id = $1", [member.id]);
  });

  test('and sent once more takes them along again', async () => {
    await putUp([{}]);
    const member = await env.member();
    await deposit(member, 300);
    expect((await withdraw(member, 200)).status).toBe(200);
    const { rows } = await env.owner.query('select id from withdrawal where member_id = $1', [member.id]);
    const set = (status: string) =>
      env.owner.query('update withdrawal set status = $2 where member_id = $1 and status <> $2', [
        member.id,
        status,
      ]);
    let last: string = rows[0].id;
    for (const again of [`${last}-1`, `${last}-2`]) {
      await set('FAILED');
      expect(await coinsNow(member)).toBe(3);
      await env.owner.query(
        `insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, retry_of)
         select $2, w.member_id, w.bank_account_id, w.amount, 'QUEUED', false, w.created_at, w.updated_at, w.id from withdrawal w where w.id = $1`,
        [last, again],
      );
      expect(await coinsNow(member)).toBe(1);
      expect(await unplayed(member)).toEqual({ status: 'QUEUED', amount: 20_000n });
      last = again;
    }
    await env.owner.query(
      "update withdrawal set status = 'SUCCESS', created_at = created_at + interval '1 s' where id = $1",
      [last],
    );
    expect((await withdraw(member, 100)).status).toBe(200);
    expect(await unplayed(member)).toEqual({ status: 'REVIEW', amount: 10_000n });
  });

  test('is nothing special once it was bet, or while as much stays', async () => {
    const [player, saver] = [await env.member(), await env.member({ amountMinor: 50_000n })];
    await open(player, 'betflix');
    await deposit(player, 300);
    await transfer(player, 'wallet', 'betflix', 300);
    await play(player, 'betflix', 300, 'win');
    await transferAll(player, 'wallet');
    expect((await withdraw(player, 200)).status).toBe(200);
    expect(await unplayed(player)).toEqual({ status: 'QUEUED', amount: null });
    await deposit(saver, 300);
    expect((await withdraw(saver, 400)).status).toBe(200);
    expect(await unplayed(saver)).toEqual({ status: 'QUEUED', amount: null });
  });

  test('split into several withdrawals requires the same bets', async () => {
    await putUp([{}]);
    const [cutter, waiter] = [await env.member(), await env.member()];
    await open(cutter, 'betflix');
    await deposit(cutter, 1000);
    await transfer(cutter, 'wallet', 'betflix', 100);
    await play(cutter, 'betflix', 100, 'win');
    await transferAll(cutter, 'wallet');
    const paid = () =>
      env.owner.query("update withdrawal set status = 'SUCCESS' where member_id = any($1)", [
        [cutter.id, waiter.id],
      ]);
    expect((await withdraw(cutter, 100)).status).toBe(200);
    expect(await unplayed(cutter)).toEqual({ status: 'QUEUED', amount: null });
    await paid();
    expect((await withdraw(cutter, Number(await env.balance(cutter)) / 100)).status).toBe(200);
    expect(await unplayed(cutter)).toEqual({ status: 'REVIEW', amount: 90_000n });
    expect(await coinsNow(cutter)).toBe(1);
    await deposit(waiter, 1000);
    expect((await withdraw(waiter, 100)).status).toBe(200);
    expect(await unplayed(waiter)).toEqual({ status: 'REVIEW', amount: 10_000n });
    await paid();
    expect((await withdraw(waiter, 900)).status).toBe(200);
    expect(await unplayed(waiter)).toEqual({ status: 'REVIEW', amount: 90_000n });
    expect(await coinsNow(waiter)).toBe(0);
    await paid();
    await deposit(cutter, 100);
    expect((await withdraw(cutter, 100)).status).toBe(200);
    expect(await unplayed(cutter)).toEqual({ status: 'REVIEW', amount: 10_000n });
  });

  test('waits without losing coins when a provider does not tell, and leaves no note when it is refused', async () => {
    const member = await env.member();
    await open(member, 'betflix');
    await deposit(member, 300);
    await transfer(member, 'wallet', 'betflix', 10);
    const { rows: before } = await env.owner.query('select count(*)::int as notes from withdrawal_unplayed');
    expect((await withdraw(member, 1000)).body.message).toBe('MONEY_NOT_ENOUGH');
    const { rows: after } = await env.owner.query('select count(*)::int as notes from withdrawal_unplayed');
    expect(after).toEqual(before);
    await env.fault({ party: 'game-f', kind: 'outage' });
    expect((await withdraw(member, 290)).status).toBe(200);
    expect(await unplayed(member)).toEqual({ status: 'REVIEW', amount: 0n });
    expect(await coinsNow(member)).toBe(3);
    await env.control('faults', { clear: true });
  });
});

test('the books agree: coins given less coins spent are the members’', async () => {
  expect(await verifyLedger(env.owner)).toEqual([]);
  const { rows } = await env.owner.query(
    `select coalesce(sum(balance) filter (where member_id is not null), 0)::int as theirs,
       coalesce(-sum(balance) filter (where member_id is null), 0)::int as issued_less_spent
     from ledger_account where asset = 3`,
  );
  expect(rows[0].theirs).toBe(rows[0].issued_less_spent);
});

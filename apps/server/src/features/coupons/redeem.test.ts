import { describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { wheelHelpers, wheelNotices } from '../wheel/testing-wheel.ts';

const env = await startTestEnv({ jobs: false });
const { prize, giveCoupon, coupons, redeem, coinsOf } = wheelHelpers(env);
const { active, statement, withdraw, forfeit } = bonusHelpers(env);
const { open, transfer, transferAll } = gameHelpers(env);

const cash = await prize({ kind: 'CASH', value: 2_500n });
const error = async (member: TestMember, coupon: string) => (await redeem(member, coupon)).body.error;
const outcomes = (responses: { body: { success: boolean; error?: string } }[]) =>
  responses.map(({ body }) => (body.success ? 'done' : body.error)).toSorted();

describe('a redemption', () => {
  test('of cash is plain money, and its statement row names the coupon', async () => {
    const member = await env.member();
    await giveCoupon(member, cash, 10);
    const id = await giveCoupon(member, cash, 5);
    expect(await coupons(member)).toMatchObject([{ _id: id, amount: 2, value: 25 }]);
    expect((await redeem(member, id)).body).toMatchObject({
      success: true,
      result: { kind: 'CASH', value: 25, remainingCoin: 0, label: expect.stringContaining('th') },
    });
    expect(await env.balance(member)).toBe(2_500n);
    expect((await active(member)).status).toBe(false);
    expect((await statement(member))[0]).toMatchObject({
      statementType: 'bonus',
      amount: 25,
      from: 'luckydraw',
      to: 'wallet',
      luckydraw: { description: expect.stringContaining('Prize') },
    });
    // The one that expires first was taken.
    const { rows } = await env.owner.query(
      "select (expires_at - created_at) > interval '9 days' as is_late from coupon where member_id = $1 and state = 'OPEN'",
      [member.id],
    );
    expect(rows).toEqual([{ is_late: true }]);
  });

  test.each([
    { tag: 'th', name: /^Prize \d+ th$/ },
    { tag: 'lo', name: /^Prize \d+ la$/ },
    { tag: 'en', name: /^Prize \d+$/ },
  ])('is answered by its name in the language it was redeemed in: $tag', async ({ tag, name }) => {
    for (const kind of ['CASH', 'BONUS'] as const) {
      const member = await env.member();
      const coupon = await giveCoupon(member, await prize({ kind, value: 2_500n }));
      const headers = { 'accept-language': tag };
      const { token } = member;
      const { body } = await env.call('POST', '/api/spinwheel/coupon/claim', { coupon }, { token, headers });
      expect(body.result.label).toMatch(name);
    }
  });

  test('of a bonus starts a run, and nothing else is redeemed during it', async () => {
    const member = await env.member({ amountMinor: 10_000n });
    await open(member, 'betflix');
    const bonus = await prize({ kind: 'BONUS', value: 5_000n });
    await env.owner.query(`update prize set withdraw_max = 70000, games = '{"imi": 100}' where id = $1`, [
      bonus,
    ]);
    const [id, other] = [await giveCoupon(member, bonus), await giveCoupon(member, cash)];
    expect((await coupons(member)).find((row: { _id: string }) => row._id === id).terms).toEqual({
      percentSuccess: 200,
      percentFail: 0,
      turnoverTimes: 0,
      days: 30,
      withdrawMost: 700,
      games: ['imi'],
    });
    await transfer(member, 'wallet', 'betflix', 10);
    expect((await redeem(member, id)).body).toEqual({
      success: false,
      error: 'BONUS_REMAINING',
      data: { games: ['betflix'] },
    });
    await transferAll(member, 'wallet');
    expect((await redeem(member, id)).body.success).toBe(true);
    expect(await active(member)).toMatchObject({ status: true, type: 'luckydraw', base: 50, target: 100 });
    expect(await error(member, other)).toBe('BONUS_REMAINING');
    expect((await withdraw(member, 100)).body.message).toBe('BONUS_REMAINING');
    await forfeit(member);
    expect((await redeem(member, other)).body.success).toBe(true);
    expect(await env.balance(member)).toBe(12_500n);
  });

  test.each(['CASH', 'BONUS', 'COIN', 'ITEM'] as const)(
    'ten at once of the last %s coupon, each under a separate key, get public codes only',
    async (kind) => {
      const member = await env.member();
      const coupon = await giveCoupon(member, await prize({ kind, value: kind === 'ITEM' ? 0n : 300n }));
      const { token } = member;
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, turn) =>
          env.call('POST', '/api/spinwheel/coupon/claim', { coupon }, { token, key: `coupon-${turn}` }),
        ),
      );
      const others = outcomes(responses).filter((one) => one !== 'done');
      expect(others).toHaveLength(9);
      const allowed = kind === 'BONUS' ? ['BONUS_REMAINING', 'NO_CLAIMABLE_COUPON'] : ['NO_CLAIMABLE_COUPON'];
      for (const code of others) expect(allowed).toContain(code);
    },
  );

  test('of a bonus waits while a game is silent, and is not used up by that', async () => {
    const member = await env.member();
    await open(member, 'betflix');
    const id = await giveCoupon(member, await prize({ kind: 'BONUS', value: 5_000n }));
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    expect((await redeem(member, id)).body.message).toBe('PROVIDER_UNAVAILABLE');
    expect((await redeem(member, id)).body.success).toBe(true);
  });

  test('of coins and items', async () => {
    const member = await env.member();
    const coin = await giveCoupon(member, await prize({ kind: 'COIN', value: 7n }));
    const item = await giveCoupon(member, await prize({ kind: 'ITEM' }));
    expect((await redeem(member, coin)).body.result).toMatchObject({
      kind: 'COIN',
      value: 7,
      remainingCoin: 7,
    });
    expect((await redeem(member, item)).body.result).toMatchObject({ kind: 'ITEM', value: 0 });
    expect(await coinsOf(member)).toBe(7);
    expect(await env.balance(member)).toBe(0n);
  });

  test.each(['CASH', 'BONUS', 'COIN', 'ITEM'] as const)(
    'of a %s coupon notifies the open screens once',
    async (kind) => {
      const member = await env.member();
      const notices = await wheelNotices(env, member);
      const item = await giveCoupon(member, await prize({ kind: 'ITEM' }));
      const coupon = await giveCoupon(member, await prize({ kind, value: kind === 'ITEM' ? 0n : 300n }));
      for (const code of [item, item, coupon])
        expect((await redeem(member, code, `elsewhere-${code}`)).body.success).toBe(true);
      await until(async () => notices() >= 2);
      expect(notices()).toBe(2);
    },
  );

  test.each(['CASH', 'BONUS', 'COIN', 'ITEM'] as const)(
    'forty at once take one %s coupon once',
    async (kind) => {
      const member = await env.member();
      const id = await giveCoupon(member, await prize({ kind, value: kind === 'ITEM' ? 0n : 300n }));
      const responses = await Promise.all(Array.from({ length: 40 }, () => redeem(member, id)));
      expect(outcomes(responses).filter((one) => one === 'done')).toHaveLength(1);
      expect(new Set(outcomes(responses))).toSatisfy((codes: Set<string>) =>
        [...codes].every((code) => ['done', 'NO_CLAIMABLE_COUPON', 'BONUS_REMAINING'].includes(code)),
      );
      const paid = (await env.balance(member)) + BigInt(await coinsOf(member));
      expect(paid).toBe(kind === 'ITEM' ? 0n : 300n);
    },
  );

  test.each(['CASH', 'COIN', 'ITEM'] as const)(
    'twelve at once take twelve %s coupons, and a thirteenth none',
    async (kind) => {
      const member = await env.member();
      const id = await prize({ kind, value: kind === 'ITEM' ? 0n : 100n });
      for (let i = 1; i < 12; i++) await giveCoupon(member, id, i);
      const code = await giveCoupon(member, id);
      const responses = await Promise.all(Array.from({ length: 13 }, () => redeem(member, code)));
      expect(outcomes(responses)).toEqual(['NO_CLAIMABLE_COUPON', ...Array(12).fill('done')]);
      const paid = (await env.balance(member)) + BigInt(await coinsOf(member));
      expect(paid).toBe(kind === 'ITEM' ? 0n : 1_200n);
    },
  );

  test.each(['CASH', 'COIN'] as const)('repeated under its key takes one %s coupon of two', async (kind) => {
    const member = await env.member();
    const [id] = [await prize({ kind, value: 300n })];
    await giveCoupon(member, id);
    const code = await giveCoupon(member, id);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => redeem(member, code, 'one-redemption-key')),
    );
    for (const { body } of responses) expect(body.success).toBe(true);
    expect((await redeem(member, code, 'one-redemption-key')).body).toMatchObject({
      result: { value: kind === 'CASH' ? 3 : 300 },
    });
    expect((await coupons(member))[0].amount).toBe(1);
  });

  test('is refused with its code: malformed, of another member, withdrawn, expired, used up', async () => {
    const [member, other] = [await env.member(), await env.member()];
    expect((await redeem(member, 'nonsense')).status).toBe(200);
    expect(await error(member, 'nonsense')).toBe('INVALID_CODE');
    expect(await error(member, `CP${cash}-${member.id}`)).toBe('INVALID_PRIZE_CODE');
    expect(await error(member, `CP999999-${member.id}`)).toBe('INVALID_PRIZE_CODE');
    const his = await giveCoupon(other, cash);
    expect(await error(member, his)).toBe('INVALID_PRIZE_CODE');
    const id = await giveCoupon(member, cash);
    await env.owner.query('update prize set withdrawn_at = now() where id = $1', [cash]);
    expect(await error(member, id)).toBe('INVALID_COUPON_TYPE');
    // Promise refused: what cannot be redeemed is not offered.
    expect(await coupons(member)).toEqual([]);
    await env.owner.query('update prize set withdrawn_at = null where id = $1', [cash]);
    await redeem(member, id);
    expect(await error(member, id)).toBe('NO_CLAIMABLE_COUPON');
    await giveCoupon(member, cash, 0);
    expect(await error(member, id)).toBe('COUPON_EXPIRED');
    expect(await coupons(member)).toEqual([]);
    expect((await env.call('POST', '/api/spinwheel/coupon/claim', { coupon: his })).body.message).toBe(
      'invalid-token',
    );
  });

  test('guard and write: a prize cannot be withdrawn between the two', async () => {
    const [member, prizeId] = [await env.member(), await prize({ kind: 'COIN', value: 300n })];
    await giveCoupon(member, prizeId);
    const [ledger, operator] = [await env.owner.connect(), await env.owner.connect()];
    onTestFinished(() => {
      for (const client of [ledger, operator]) client.release(true);
    });
    const couponSql = 'select id from coupon where member_id = $1';
    const coupon = (await ledger.query(couponSql, [member.id])).rows[0].id;
    await ledger.query('begin');
    const guarded = await ledger.query('select coupon_refusal($1, $2, now()) as code', [coupon, member.id]);
    expect(guarded.rows).toEqual([{ code: null }]);
    await operator.query("set lock_timeout = '50ms'");
    const withdrawn = operator.query('update prize set withdrawn_at = now() where id = $1', [prizeId]);
    await expect(withdrawn).rejects.toMatchObject({ code: '55P03' });
    await ledger.query('rollback');
    expect(
      (await operator.query('update prize set withdrawn_at = now() where id = $1', [prizeId])).rowCount,
    ).toBe(1);
    expect(await error(member, `CP${prizeId}-${member.id}`)).toBe('INVALID_COUPON_TYPE');
  });

  test('pays nothing when no coupon can be marked as redeemed', async () => {
    const [member, prizeId] = [await env.member(), await prize({ kind: 'CASH', value: 300n })];
    const id = await giveCoupon(member, prizeId);
    await env.owner.query(`create function withdraw_prize() returns trigger language plpgsql as
      $$ begin update prize set withdrawn_at = now() where id = ${prizeId}; return new; end $$`);
    await env.owner.query(
      'create trigger withdraw_prize before insert on bonus_run for each row execute function withdraw_prize()',
    );
    expect((await redeem(member, id)).status).toBe(500);
    await env.owner.query('drop function withdraw_prize cascade');
    expect(await env.balance(member)).toBe(0n);
    expect((await redeem(member, id)).body.success).toBe(true);
  });

  test('of a bonus is refused while they must not play; cash is theirs', async () => {
    const member = await env.member();
    const bonus = await giveCoupon(member, await prize({ kind: 'BONUS', value: 5_000n }));
    const plain = await giveCoupon(member, cash);
    await env.call('POST', '/api/limits/break', { length: '24h' }, { token: member.token });
    expect(await error(member, bonus)).toBe('SELF_EXCLUDED');
    expect((await redeem(member, plain)).body.success).toBe(true);
  });
});

test('the books agree', async () => {
  expect(await verifyLedger(env.owner)).toEqual([]);
});

import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { contents } from '../testing.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, credits, gameBalance, owned, refresh, play } = gameHelpers(env);

/** A member with 1,000.00 in the wallet and these games opened. */
async function player(...slots: string[]) {
  const member = await env.member({ amountMinor: 100_000n });
  for (const slot of slots) await open(member, slot);
  return member;
}

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

describe('a transfer', () => {
  test('into a game and back shows in wallet, game and statement', async () => {
    const member = await player('betflix');
    const into = await transfer(member, 'wallet', 'betflix', 250.5);
    expect(into).toMatchObject({
      status: 200,
      body: {
        type: 'transfer',
        status: 'SUCCESS',
        amount: 250.5,
        from: 'wallet',
        to: 'betflix',
        wallet: { amount: 749.5 },
      },
    });
    expect(await credits(member, 'betflix')).toBe(25_050n);
    const back = await transfer(member, 'betflix', 'wallet', 50.5);
    expect(back.body).toMatchObject({ status: 'SUCCESS', amount: 50.5, wallet: { amount: 800 } });
    expect(await credits(member, 'betflix')).toBe(20_000n);
    const { body } = await env.call('POST', '/api/statement', { page: 1, limit: 2 }, { token: member.token });
    expect(body.statements).toMatchObject([
      {
        id: back.body.id,
        statementType: 'transfer',
        from: 'betflix',
        to: 'wallet',
        status: 'SUCCESS',
        amount: 50.5,
      },
      {
        id: into.body.id,
        statementType: 'transfer',
        from: 'wallet',
        to: 'betflix',
        status: 'SUCCESS',
        amount: 250.5,
      },
    ]);
  });

  test('at rate 10 moves only what whole hundredths of a credit cost; the rest stays', async () => {
    const member = await player('areaslot');
    const into = await transfer(member, 'wallet', 'areaslot', 100.05);
    expect(into.body).toMatchObject({ amount: 100, wallet: { amount: 900 } });
    expect(await credits(member, 'areaslot')).toBe(1_000n);
    const wallet = await env.call('GET', '/api/wallet', undefined, { token: member.token });
    const slot = wallet.body.slots.find((one: { code: string }) => one.code === 'areaslot');
    expect(slot).toMatchObject({ isActive: true, amount: 10, ftWalletSlot: 10 });
  });

  test('from game to game goes through the wallet, with a row each', async () => {
    const member = await player('betflix', 'areaslot');
    await transfer(member, 'wallet', 'betflix', 500);
    const across = await transfer(member, 'betflix', 'areaslot', 200);
    expect(across.body).toMatchObject({
      status: 'SUCCESS',
      amount: 200,
      from: 'betflix',
      to: 'areaslot',
      wallet: { amount: 500 },
    });
    expect([await credits(member, 'betflix'), await credits(member, 'areaslot')]).toEqual([30_000n, 2_000n]);
    const { body } = await env.call('POST', '/api/statement', { page: 1, limit: 2 }, { token: member.token });
    expect(body.statements).toMatchObject([
      { from: 'wallet', to: 'areaslot' },
      { from: 'betflix', to: 'wallet' },
    ]);
  });

  test('takes winnings that no refresh has seen yet, and not a baht more', async () => {
    const member = await player('betflix');
    await transfer(member, 'wallet', 'betflix', 100);
    await play(member, 'betflix', 10, 'win');
    const now = Number(await credits(member, 'betflix')) / 100;
    expect(now).toBeGreaterThan(100);
    expect((await transfer(member, 'betflix', 'wallet', now + 1)).body).toMatchObject({
      message: 'MONEY_NOT_ENOUGH',
    });
    expect((await transfer(member, 'betflix', 'wallet', now)).body).toMatchObject({
      status: 'SUCCESS',
      amount: now,
    });
    expect(await env.balance(member)).toBe(BigInt(Math.round((900 + now) * 100)));
  });

  test.each([
    ['betflix', 1],
    ['areaslot', 10],
  ])('twenty-five round trips through %s gain nothing', async (slot, rate) => {
    const member = await player(slot);
    for (let trip = 0; trip < 25; trip++) {
      await transfer(member, 'wallet', slot, 33.33 + trip / 100);
      const inside = await credits(member, slot);
      await transfer(member, slot, 'wallet', (Number(inside) / 100) * rate);
      expect(await owned(member)).toBeLessThanOrEqual(100_000n);
    }
    expect(await owned(member)).toBe(100_000n);
  });

  test('a changed rate reaches an account only when nothing is in it', async () => {
    const member = await player('usun');
    await transfer(member, 'wallet', 'usun', 100);
    await env.owner.query("update slot set rate_micro = 20000000 where code = 'usun'");
    await refresh(member);
    expect((await transfer(member, 'usun', 'wallet', 100)).body).toMatchObject({
      amount: 100,
      wallet: { amount: 1000 },
    });
    await transfer(member, 'wallet', 'usun', 1);
    await transfer(member, 'usun', 'wallet', 1);
    await env.set('refresh.seconds', 0);
    await refresh(member);
    await env.set('refresh.seconds', 5);
    expect((await transfer(member, 'wallet', 'usun', 100)).body.amount).toBe(100);
    expect(await credits(member, 'usun')).toBe(500n);
    await env.owner.query("update slot set rate_micro = 1000000 where code = 'usun'");
  });
});

describe('all that a game holds', () => {
  /** A member whose game holds 0.60. */
  async function remainder() {
    const member = await player('betflix', 'imi');
    await transfer(member, 'wallet', 'betflix', 10);
    await transfer(member, 'betflix', 'wallet', 9.4);
    expect(await credits(member, 'betflix')).toBe(60n);
    return member;
  }

  test('moves to the wallet also when it is below the minimum', async () => {
    const member = await remainder();
    expect(await transfer(member, 'betflix', 'wallet', 0.6, 'last-of-it')).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS', amount: 0.6, wallet: { amount: 1000 } },
    });
    expect((await transfer(member, 'betflix', 'wallet', 0.6, 'last-of-it')).status).toBe(200);
    expect([await credits(member, 'betflix'), await gameBalance(member, 'betflix')]).toEqual([0n, 0n]);
    expect(await env.balance(member)).toBe(100_000n);
  });

  test.each([
    ['betflix', 'wallet', 0.59],
    ['betflix', 'wallet', 0.61],
    ['betflix', 'imi', 0.6],
    ['wallet', 'betflix', 0.6],
    ['imi', 'wallet', 0.6],
  ])('is nothing else: from %s to %s %f is TRANSFER_MINIMUM', async (from, to, amount) => {
    const member = await remainder();
    const before = await contents(env.owner);
    expect((await transfer(member, from, to, amount)).body).toEqual({
      message: 'TRANSFER_MINIMUM',
      data: { min: 1 },
    });
    expect(await contents(env.owner)).toEqual(before);
  });

  test('is not sent to a game that was never opened', async () => {
    const member = await remainder();
    expect((await transfer(member, 'circus', 'wallet', 0.6)).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
  });

  test('is the game’s current balance, not the last known one', async () => {
    const member = await player('betflix');
    await transfer(member, 'wallet', 'betflix', 1.6);
    await env.owner.query('update game_account set credits = 60 where member_id = $1', [member.id]);
    expect((await transfer(member, 'betflix', 'wallet', 0.6)).body).toMatchObject({
      message: 'TRANSFER_MINIMUM',
    });
    expect(await credits(member, 'betflix')).toBe(160n);
    await play(member, 'betflix', 1, 'lose');
    expect((await transfer(member, 'betflix', 'wallet', 1.6)).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
    expect((await transfer(member, 'betflix', 'wallet', 0.6)).body).toMatchObject({ amount: 0.6 });
    expect(await credits(member, 'betflix')).toBe(0n);
  });

  test('moves once for forty concurrent calls', async () => {
    await env.allowSlowPartners();
    const member = await remainder();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => transfer(member, 'betflix', 'wallet', 0.6)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const refusals = responses.filter(({ status }) => status !== 200).map(({ body }) => body.message);
    for (const code of refusals) expect(['TRANSFER_MINIMUM', 'MONEY_NOT_ENOUGH']).toContain(code);
    expect([await env.balance(member), await credits(member, 'betflix')]).toEqual([100_000n, 0n]);
  });

  test('takes the last credit along at a rate that leaves parts of a satang, and no more is offered', async () => {
    await env.owner.query("update slot set rate_micro = 333333 where code = 'circus'");
    const member = await player('circus');
    await transfer(member, 'wallet', 'circus', 1.67);
    await play(member, 'circus', 1, 'lose');
    await refresh(member);
    // Worth 1.336665.
    expect(await credits(member, 'circus')).toBe(401n);
    expect((await transfer(member, 'circus', 'wallet', 1.34)).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
    expect((await transfer(member, 'circus', 'wallet', 1.33)).body).toMatchObject({ amount: 1.33 });
    expect([await credits(member, 'circus'), await gameBalance(member, 'circus')]).toEqual([0n, 0n]);
    await env.owner.query("update slot set rate_micro = 1000000 where code = 'circus'");
  });
});

describe('refused before anything is written:', () => {
  test.each([
    ['wallet', 'wallet'],
    ['betflix', 'betflix'],
    ['wallet', 'nowhere'],
    ['nowhere', 'wallet'],
    ['nowhere', 'nowhere'],
    ['wallet', '__proto__'],
    ['constructor', 'wallet'],
    ['__proto__', 'constructor'],
    ['wallet', 'Betflix'],
    ['wallet', "betflix' or '1'='1"],
    ['', 'wallet'],
    ['wallet', '../betflix'],
    ['hold', 'wallet'],
  ])('from %s to %s is NO_WALLET', async (from, to) => {
    const member = await player('betflix');
    const before = await contents(env.owner);
    expect(await transfer(member, from, to, 10)).toMatchObject({
      status: 400,
      body: { message: 'NO_WALLET' },
    });
    expect(await contents(env.owner)).toEqual(before);
  });

  test.each([0, 0.99, 0.001, -1, -0.01, 10.001, '10', '', null, true, [10], { amount: 10 }])(
    'an amount of %j is TRANSFER_MINIMUM',
    async (amount) => {
      const member = await player('betflix');
      const before = await contents(env.owner);
      for (const [from, to] of [
        ['wallet', 'betflix'],
        ['betflix', 'wallet'],
      ])
        expect(await transfer(member, from, to, amount)).toMatchObject({
          status: 400,
          body: { message: 'TRANSFER_MINIMUM', data: { min: 1 } },
        });
      expect(await contents(env.owner)).toEqual(before);
    },
  );

  test.each([1e15, 1e300])('more than any account can hold is MONEY_NOT_ENOUGH: %f', async (amount) => {
    const member = await player('betflix');
    expect((await transfer(member, 'wallet', 'betflix', amount)).body).toEqual({
      message: 'MONEY_NOT_ENOUGH',
    });
  });

  test('accepts exactly the minimum that is shown, at any rate and step', async () => {
    const member = await player('betflix', 'pg');
    for (const [rate, least] of [
      [700_000_000n, 7],
      [3_330_000n, 1],
    ] as const) {
      await env.owner.query("update slot set rate_micro = $1 where code in ('betflix', 'pg')", [rate]);
      const { data } = (await transfer(member, 'wallet', 'betflix', 0.5)).body;
      expect(data).toEqual({ min: least });
      expect((await transfer(member, 'wallet', 'betflix', data.min)).status).toBe(200);
      expect((await transfer(member, 'betflix', 'wallet', data.min)).status).toBe(200);
    }
    // A provider of whole credits, at the rate the empty account takes over.
    const { data } = (await transfer(member, 'wallet', 'pg', 3)).body;
    expect(data).toEqual({ min: 3.33 });
    expect((await transfer(member, 'wallet', 'pg', 3.33)).body).toMatchObject({ status: 'SUCCESS' });
    await env.owner.query("update slot set rate_micro = 1000000 where code in ('betflix', 'pg')");
  });

  test('a game not opened is SLOT_NO_ACCOUNT, too much money MONEY_NOT_ENOUGH', async () => {
    const member = await player('betflix');
    const before = await contents(env.owner);
    expect((await transfer(member, 'wallet', 'imi', 10)).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
    expect((await transfer(member, 'imi', 'wallet', 10)).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
    expect((await transfer(member, 'betflix', 'imi', 10)).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
    expect((await transfer(member, 'wallet', 'betflix', 1000.01)).body).toEqual({
      message: 'MONEY_NOT_ENOUGH',
    });
    expect(await contents(env.owner)).toEqual(before);
    expect((await transfer(member, 'betflix', 'wallet', 1)).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
  });

  test('a game that is closed takes no money in, but gives it out', async () => {
    const member = await player('circus');
    await transfer(member, 'wallet', 'circus', 100);
    await env.owner.query("update slot set is_open = false where code = 'circus'");
    const { body } = await env.call('GET', '/api/wallet', undefined, { token: member.token });
    const shown = body.slots.find(({ code }: { code: string }) => code === 'circus');
    expect(shown).toMatchObject({ amount: 100, isInMaintenance: true });
    expect((await transfer(member, 'wallet', 'circus', 10)).body).toEqual({ message: 'NO_WALLET' });
    expect((await transfer(member, 'circus', 'wallet', 100)).body).toMatchObject({ status: 'SUCCESS' });
    await env.owner.query("update slot set is_open = true where code = 'circus'");
  });

  test('what the second game could not take is refused before the first is touched', async () => {
    const member = await player('betflix', 'areaslot');
    const rate = async (micro: bigint) =>
      env.owner.query("update slot set rate_micro = $1 where code = 'areaslot'", [micro]);
    await rate(500_000_000_000n);
    await transfer(member, 'wallet', 'betflix', 100);
    expect((await transfer(member, 'betflix', 'areaslot', 50)).body).toEqual({
      message: 'TRANSFER_MINIMUM',
      data: { min: 5_000 },
    });
    expect(await credits(member, 'betflix')).toBe(10_000n);
    await rate(10_000_000n);
  });
});

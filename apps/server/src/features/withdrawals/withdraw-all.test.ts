import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { TRANSFER_CHECK } from '../games/read.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { contents } from '../testing.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, credits, owned, play, settle } = gameHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const all = (member: TestMember, amount: unknown, key?: string) =>
  env.call('POST', '/api/wallet/withdrawAll', { amount }, { token: member.token, ...(key ? { key } : {}) });

/** 300.00 in the wallet, 500 credits in betflix, 20 credits of 10.00 in areaslot. */
async function player() {
  const member = await env.member({ amountMinor: 100_000n });
  for (const slot of ['betflix', 'areaslot']) await open(member, slot);
  await transfer(member, 'wallet', 'betflix', 500);
  await transfer(member, 'wallet', 'areaslot', 200);
  return member;
}

async function withdrawals(member: TestMember) {
  return (await env.pool.query('select amount, status from withdrawal where member_id = $1', [member.id]))
    .rows;
}

describe('withdrawing from everywhere', () => {
  test('moves what the wallet lacks from the fullest game first, and no more', async () => {
    const member = await player();
    expect(await all(member, 700)).toMatchObject({
      status: 200,
      body: {
        type: 'withdraw',
        status: 'PENDING',
        amount: 700,
        from: 'wallet',
        to: 'KBANK',
        wallet: { amount: 0 },
      },
    });
    expect([await credits(member, 'betflix'), await credits(member, 'areaslot')]).toEqual([10_000n, 2_000n]);
    expect(await withdrawals(member)).toMatchObject([{ amount: 70_000n }]);
  });

  test('takes all there is, down to the last satang', async () => {
    const member = await player();
    await transfer(member, 'wallet', 'betflix', 33.33);
    await play(member, 'betflix', 5, 'lose');
    const left = (26_667 + Number(await credits(member, 'betflix')) + 20_000) / 100;
    expect((await all(member, left)).body).toMatchObject({ amount: left, wallet: { amount: 0 } });
    expect([await credits(member, 'betflix'), await credits(member, 'areaslot')]).toEqual([0n, 0n]);
  });

  test('reads no game when the wallet has enough', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', kind: 'outage' });
    expect((await all(member, 300)).body).toMatchObject({ status: 'PENDING', wallet: { amount: 0 } });
    await env.control('faults', { clear: true });
  });

  test('while withdraw alone takes the wallet only', async () => {
    const member = await player();
    const response = await env.call('POST', '/api/wallet/withdraw', { amount: 301 }, { token: member.token });
    expect(response.body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
    expect(await env.balance(member)).toBe(30_000n);
  });
});

describe('every refusal is decided before a game is touched:', () => {
  test.each([
    [99.99, 'WITHDRAW_MINIMUM'],
    [0, 'WITHDRAW_MINIMUM'],
    [-1, 'WITHDRAW_MINIMUM'],
    ['700', 'WITHDRAW_MINIMUM'],
    [null, 'WITHDRAW_MINIMUM'],
    [[700], 'WITHDRAW_MINIMUM'],
    [700.001, 'WITHDRAW_MINIMUM'],
    [50_000.01, 'WITHDRAW_MAXIMUM'],
  ])('%j is %s', async (amount, code) => {
    const member = await player();
    const before = await contents(env.owner);
    expect(await all(member, amount)).toMatchObject({ status: 400, body: { message: code } });
    expect(await contents(env.owner)).toEqual(before);
  });

  test('the limits come before an open withdrawal, and that before the balance', async () => {
    const member = await player();
    await all(member, 100);
    const before = await contents(env.owner);
    expect((await all(member, 99)).body.message).toBe('WITHDRAW_MINIMUM');
    expect((await all(member, 60_000)).body.message).toBe('WITHDRAW_MAXIMUM');
    expect(await all(member, 800)).toMatchObject({ status: 429, body: { message: 'REQUEST_LIMIT' } });
    expect(await all(member, 40_000)).toMatchObject({ status: 429, body: { message: 'REQUEST_LIMIT' } });
    expect(await contents(env.owner)).toEqual(before);
  });
});

describe('when the games fall short', () => {
  test('it is MONEY_NOT_ENOUGH, and no game is touched', async () => {
    const member = await player();
    expect(await all(member, 1000.01)).toMatchObject({ status: 400, body: { message: 'MONEY_NOT_ENOUGH' } });
    expect([await env.balance(member), await owned(member)]).toEqual([30_000n, 100_000n]);
    expect([await credits(member, 'betflix'), await credits(member, 'areaslot')]).toEqual([50_000n, 2_000n]);
    expect(await withdrawals(member)).toEqual([]);
  });

  test('after a loss that has not been read yet it is MONEY_NOT_ENOUGH, and no game is touched', async () => {
    const member = await player();
    await play(member, 'betflix', 100, 'lose');
    expect((await all(member, 950)).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
    expect([await env.balance(member), await credits(member, 'betflix')]).toEqual([30_000n, 40_000n]);
  });

  test('because one is silent it is PROVIDER_UNAVAILABLE, and no game is touched', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'balance', agent: 'betflix', kind: 'outage', count: 1 });
    expect(await all(member, 600)).toMatchObject({ status: 503, body: { message: 'PROVIDER_UNAVAILABLE' } });
    expect([await env.balance(member), await credits(member, 'betflix')]).toEqual([30_000n, 50_000n]);
    expect(await withdrawals(member)).toEqual([]);
  });

  test('because one is unknown it is PROVIDER_UNAVAILABLE, and nothing is paid a second way', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', agent: 'betflix', kind: 'cut-after', count: 1 });
    expect((await all(member, 700)).body).toEqual({ message: 'PROVIDER_UNAVAILABLE' });
    await settle(member);
    expect(await owned(member)).toBe(100_000n);
    expect((await all(member, 700)).body).toMatchObject({ status: 'PENDING', amount: 700 });
  });
});

describe('a key', () => {
  test('gives twenty at once one withdrawal and twenty equal answers', async () => {
    await env.allowSlowPartners();
    const member = await player();
    const responses = await Promise.all(Array.from({ length: 20 }, () => all(member, 700, 'all-home-1')));
    expect(
      new Set(responses.map((response) => `${response.status} ${JSON.stringify(response.body)}`)).size,
    ).toBe(1);
    expect(responses[0]).toMatchObject({ status: 200, body: { amount: 700, wallet: { amount: 0 } } });
    expect(await withdrawals(member)).toMatchObject([{ amount: 70_000n }]);
    expect([await credits(member, 'betflix'), await owned(member)]).toEqual([10_000n, 100_000n]);
    expect(await all(member, 701, 'all-home-1')).toMatchObject({
      status: 409,
      body: { message: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  test('repeats a refusal that followed the games', async () => {
    const member = await player();
    expect((await all(member, 1500, 'too-much-1')).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
    expect((await all(member, 1500, 'too-much-1')).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
  });

  test('is free again after PROVIDER_UNAVAILABLE and REQUEST_LIMIT', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 2 });
    expect((await all(member, 700, 'not-now-1')).body).toEqual({ message: 'PROVIDER_UNAVAILABLE' });
    expect((await all(member, 700, 'not-now-1')).body).toMatchObject({ status: 'PENDING' });
    expect((await all(member, 200, 'not-now-2')).body).toEqual({ message: 'REQUEST_LIMIT' });
    await env.owner.query("update withdrawal set status = 'REVIEW' where member_id = $1", [member.id]);
    await env.set('withdraw.oneOpen', false);
    expect((await all(member, 200, 'not-now-2')).body).toMatchObject({ status: 'PENDING', amount: 200 });
    await env.set('withdraw.oneOpen', true);
  });
});

test('twenty at once without a key: one open withdrawal, and never a fault', async () => {
  await env.allowSlowPartners();
  const member = await player();
  const responses = await Promise.all(Array.from({ length: 20 }, () => all(member, 700)));
  expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 200))
    expect(['REQUEST_LIMIT', 'MONEY_NOT_ENOUGH']).toContain(response.body.message);
  expect(await withdrawals(member)).toMatchObject([{ amount: 70_000n }]);
  expect(await owned(member)).toBe(100_000n);
});

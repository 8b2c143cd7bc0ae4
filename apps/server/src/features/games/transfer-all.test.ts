import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { contents } from '../testing.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, transferAll, credits, owned, play, settle } = gameHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** 500.00 in the wallet, 300 credits in betflix, 20 credits of 10.00 in areaslot, nothing in imi. */
async function player() {
  const member = await env.member({ amountMinor: 100_000n });
  for (const slot of ['betflix', 'areaslot', 'imi']) await open(member, slot);
  await transfer(member, 'wallet', 'betflix', 300);
  await transfer(member, 'wallet', 'areaslot', 200);
  return member;
}
const everywhere = async (member: Awaited<ReturnType<typeof player>>) => [
  await env.balance(member),
  await credits(member, 'betflix'),
  await credits(member, 'areaslot'),
];

describe('transferring all', () => {
  test('to the wallet empties every game, and lists the amount of each', async () => {
    const member = await player();
    const response = await transferAll(member, 'wallet');
    expect(response.body).toMatchObject({
      type: 'transfer',
      status: 'SUCCESS',
      amount: 500,
      from: 'all',
      to: 'wallet',
      wallet: { amount: 1000 },
    });
    expect(response.body.legs).toEqual(
      expect.arrayContaining([
        { from: 'betflix', amount: 300, status: 'SUCCESS' },
        { from: 'areaslot', amount: 200, status: 'SUCCESS' },
      ]),
    );
    expect(response.body.legs).toHaveLength(2);
    expect(await everywhere(member)).toEqual([100_000n, 0n, 0n]);
  });

  test('to a game empties the wallet and the other games into it', async () => {
    const member = await player();
    const response = await transferAll(member, 'areaslot');
    expect(response.body).toMatchObject({
      status: 'SUCCESS',
      amount: 800,
      to: 'areaslot',
      wallet: { amount: 0 },
    });
    expect(await everywhere(member)).toEqual([0n, 0n, 10_000n]);
  });

  test('takes winnings along', async () => {
    const member = await player();
    await play(member, 'betflix', 10, 'win');
    const won = await credits(member, 'betflix');
    await transferAll(member, 'wallet');
    expect(await env.balance(member)).toBe(70_000n + won);
  });

  test('skips a game that cannot be read, and names it', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'balance', agent: 'betflix', kind: 'outage', count: 1 });
    const response = await transferAll(member, 'wallet');
    expect(response.body).toMatchObject({ status: 'SUCCESS', amount: 200 });
    expect(response.body.legs).toContainEqual({ from: 'betflix', amount: 0, status: 'FAILED' });
    expect(await everywhere(member)).toEqual([70_000n, 30_000n, 0n]);
  });

  test('with every game silent is PROVIDER_UNAVAILABLE', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 3 });
    expect(await transferAll(member, 'wallet')).toMatchObject({
      status: 503,
      body: { message: 'PROVIDER_UNAVAILABLE' },
    });
  });

  test('with a leg unknown is PENDING, and settled later', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', agent: 'betflix', kind: 'cut-after', count: 1 });
    const response = await transferAll(member, 'wallet');
    expect(response.body).toMatchObject({ status: 'PENDING' });
    expect(response.body.legs).toContainEqual({ from: 'betflix', amount: 300, status: 'PENDING' });
    await settle(member);
    expect(await everywhere(member)).toEqual([100_000n, 0n, 0n]);
  });

  test('with nothing to move is MONEY_NOT_ENOUGH', async () => {
    const [poor, idle] = [await env.member(), await env.member({ amountMinor: 10_000n })];
    expect((await transferAll(poor, 'wallet')).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
    await open(idle, 'imi');
    expect((await transferAll(idle, 'wallet')).body).toEqual({ message: 'MONEY_NOT_ENOUGH' });
  });

  test('refused by the game it should go to is TRANSFER_FAIL, with all of it in the wallet', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', agent: 'imi', kind: 'refuse', count: 1 });
    expect((await transferAll(member, 'imi')).body).toEqual({ message: 'TRANSFER_FAIL' });
    expect(await everywhere(member)).toEqual([100_000n, 0n, 0n]);
  });

  test('to a game that takes more than all there is leaves it in the wallet, and says so', async () => {
    const member = await player();
    await transferAll(member, 'wallet');
    // 3.00 in betflix alone, and areaslot takes 10.00 at least.
    await env.owner.query("update slot set least_in = 100 where code = 'areaslot'");
    await transfer(member, 'wallet', 'imi', 997);
    await transfer(member, 'wallet', 'betflix', 3);
    await env.fault({ party: 'game-f', call: 'balance', agent: 'imi', kind: 'outage', count: 2 });
    const key = crypto.randomUUID();
    const first = await transferAll(member, 'areaslot', key);
    expect(first.body).toEqual({ message: 'TRANSFER_FAIL' });
    expect(await everywhere(member)).toEqual([300n, 0n, 0n]);
    expect((await transferAll(member, 'areaslot', key)).body).toEqual(first.body);
    // Most of it is in a game that cannot be read: that is why too little is left.
    expect((await transferAll(member, 'areaslot')).body.message).toBe('PROVIDER_UNAVAILABLE');
    expect(await everywhere(member)).toEqual([300n, 0n, 0n]);
    const [poor, poorer] = [await env.member({ amountMinor: 300n }), await env.member({ amountMinor: 50n })];
    for (const one of [poor, poorer]) for (const slot of ['betflix', 'areaslot']) await open(one, slot);
    expect(await transferAll(poor, 'areaslot')).toMatchObject({
      status: 400,
      body: { message: 'TRANSFER_MINIMUM', data: { min: 10 } },
    });
    // Less than 1.00 is moved where the game takes it.
    expect((await transferAll(poorer, 'betflix')).body).toMatchObject({ status: 'SUCCESS', amount: 0.5 });
    await env.owner.query("update slot set least_in = null where code = 'areaslot'");
  });

  test.each(['nowhere', '__proto__', 'constructor', ''])(
    'to %j is NO_WALLET, to a game not opened SLOT_NO_ACCOUNT',
    async (to) => {
      const member = await env.member({ amountMinor: 10_000n });
      const before = await contents(env.owner);
      expect((await transferAll(member, to)).body).toEqual({ message: 'NO_WALLET' });
      expect((await transferAll(member, 'usun')).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
      expect(await contents(env.owner)).toEqual(before);
    },
  );

  test('twenty times at once under one key happens once, with equal answers', async () => {
    await env.allowSlowPartners();
    const member = await player();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => transferAll(member, 'imi', 'all-of-it-1')),
    );
    expect(
      new Set(responses.map((response) => `${response.status} ${JSON.stringify(response.body)}`)).size,
    ).toBe(1);
    expect(responses[0]!.body).toMatchObject({ status: 'SUCCESS', amount: 1000 });
    expect(await credits(member, 'imi')).toBe(10_000n);
    expect((await transferAll(member, 'wallet', 'all-of-it-1')).body).toEqual({
      message: 'IDEMPOTENCY_CONFLICT',
    });
  });

  test('twenty times at once without a key moves everything once, and never fails with a fault', async () => {
    await env.allowSlowPartners();
    const member = await player();
    const responses = await Promise.all(Array.from({ length: 20 }, () => transferAll(member, 'wallet')));
    for (const response of responses)
      if (response.status !== 200)
        expect(response).toMatchObject({ status: 400, body: { message: 'MONEY_NOT_ENOUGH' } });
    expect(await everywhere(member)).toEqual([100_000n, 0n, 0n]);
    expect(await owned(member)).toBe(100_000n);
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
// 'Never seen' is believed at once here; the grace is proved beside the resolver.
await env.set('unknown.absentGraceSeconds', 0);
const helpers = gameHelpers(env);
const { open, transfer, credits, owned, gameBalance, rowStatus, settle } = helpers;

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** A member with 900.00 in the wallet and 100 credits in a game. */
async function player(slot = 'betflix') {
  const member = await env.member({ amountMinor: 100_000n });
  await open(member, slot);
  await transfer(member, 'wallet', slot, 100);
  return member;
}

/** Both dialects, into the game and out of it, by the name each has for the call. */
const WAYS = [
  { slot: 'betflix', party: 'game-f', call: 'transfer', sign: 1n },
  { slot: 'betflix', party: 'game-f', call: 'transfer', sign: -1n },
  { slot: 'pg', party: 'game-j', call: 'deposit', sign: 1n },
  { slot: 'pg', party: 'game-j', call: 'withdraw', sign: -1n },
] as const;
/** What each trouble on the transfer call leaves behind: whether the provider did it. */
const UNKNOWN = [
  ['cut-before', false],
  ['cut-after', true],
  ['500', false],
  ['outage', false],
  ['429', false],
  ['malformed', true],
  ['wrong-amount', true],
  ['delay', true],
] as const;

describe.each(WAYS)('$party $call ($sign)', ({ slot, party, call, sign }) => {
  const [from, to] = sign > 0 ? ['wallet', slot] : [slot, 'wallet'];

  test.each(UNKNOWN)(
    '%s leaves a pending receipt, then money in exactly one place',
    async (kind, happened) => {
      const member = await player(slot);
      const ms = kind === 'delay' ? { ms: 1500 } : {};
      if (kind === 'delay') await env.set('unknown.absentGraceSeconds', 2);
      await env.fault({
        party,
        call,
        member: `kp${member.id}`,
        kind,
        count: 1,
        ...ms,
      });
      const response = await transfer(member, from, to, 40);
      expect(response).toMatchObject({ status: 200, body: { status: 'PENDING', amount: 40, from, to } });
      expect(await rowStatus(response.body.id)).toBe('PENDING');
      // Until it is known, the money can be used nowhere.
      expect(response.body.wallet.amount).toBe(sign > 0 ? 860 : 900);
      expect(await gameBalance(member, slot)).toBe(sign > 0 ? 10_000n : 6_000n);
      await settle(member);
      if (kind === 'delay') await env.set('unknown.absentGraceSeconds', 0);
      const moved = happened ? 4_000n * sign : 0n;
      expect([
        await env.balance(member),
        await gameBalance(member, slot),
        await credits(member, slot),
      ]).toEqual([90_000n - moved, 10_000n + moved, 10_000n + moved]);
      expect(await rowStatus(response.body.id)).toBe(happened ? 'SUCCESS' : 'FAILED');
    },
  );

  test('a definite no is TRANSFER_FAIL, and the money is back in the same instant', async () => {
    const member = await player(slot);
    await env.fault({
      party,
      call,
      member: `kp${member.id}`,
      kind: 'refuse',
      count: 1,
    });
    expect(await transfer(member, from, to, 40)).toMatchObject({
      status: 400,
      body: { message: 'TRANSFER_FAIL' },
    });
    expect([await env.balance(member), await gameBalance(member, slot)]).toEqual([90_000n, 10_000n]);
    const [last] = (await helpers.transfers(member)).slice(-1);
    expect(await rowStatus(last!.id)).toBe('FAILED');
  });

  test('a key gives the pending answer again, and the refusal again', async () => {
    const member = await player(slot);
    await env.fault({
      party,
      call,
      member: `kp${member.id}`,
      kind: 'cut-after',
      count: 1,
    });
    const first = await transfer(member, from, to, 40, 'pending-1');
    expect(first.body.status).toBe('PENDING');
    expect((await transfer(member, from, to, 40, 'pending-1')).body).toEqual(first.body);
    await settle(member);
    await env.fault({
      party,
      call,
      member: `kp${member.id}`,
      kind: 'refuse',
      count: 1,
    });
    for (let time = 0; time < 2; time++)
      expect((await transfer(member, from, to, 40, 'refused-1')).body).toEqual({ message: 'TRANSFER_FAIL' });
    expect(await owned(member)).toBe(100_000n);
    expect(await credits(member, slot)).toBe(await gameBalance(member, slot));
  });
});

describe('game to game', () => {
  async function across() {
    const member = await player();
    await open(member, 'areaslot');
    return member;
  }

  test('when the second half is refused the money is in the wallet, with TRANSFER_FAIL', async () => {
    const member = await across();
    await env.fault({ party: 'game-f', call: 'transfer', agent: 'areaslot', kind: 'refuse', count: 1 });
    for (let time = 0; time < 2; time++)
      expect((await transfer(member, 'betflix', 'areaslot', 50, 'across-1')).body).toEqual({
        message: 'TRANSFER_FAIL',
      });
    expect([
      await env.balance(member),
      await credits(member, 'betflix'),
      await credits(member, 'areaslot'),
    ]).toEqual([95_000n, 5_000n, 0n]);
  });

  test('when the first half is unknown the second waits for no money that may not be there', async () => {
    const member = await across();
    await env.fault({ party: 'game-f', call: 'transfer', agent: 'betflix', kind: 'cut-after', count: 1 });
    expect((await transfer(member, 'betflix', 'areaslot', 50)).body).toMatchObject({
      status: 'PENDING',
      wallet: { amount: 900 },
    });
    await settle(member);
    expect([await env.balance(member), await credits(member, 'areaslot'), await owned(member)]).toEqual([
      95_000n,
      0n,
      100_000n,
    ]);
  });

  test('when the second half is unknown it is settled like any other', async () => {
    const member = await across();
    await env.fault({ party: 'game-f', call: 'transfer', agent: 'areaslot', kind: 'cut-after', count: 1 });
    expect((await transfer(member, 'betflix', 'areaslot', 50)).body).toMatchObject({
      status: 'PENDING',
      wallet: { amount: 900 },
    });
    await settle(member);
    expect([
      await env.balance(member),
      await gameBalance(member, 'areaslot'),
      await credits(member, 'areaslot'),
    ]).toEqual([90_000n, 5_000n, 500n]);
  });

  test('a silent game gives nothing out: PROVIDER_UNAVAILABLE, and the key is free again', async () => {
    const member = await across();
    await env.fault({ party: 'game-f', call: 'balance', agent: 'betflix', kind: 'outage', count: 1 });
    expect(await transfer(member, 'betflix', 'wallet', 50, 'once-again-1')).toMatchObject({
      status: 503,
      body: { message: 'PROVIDER_UNAVAILABLE' },
    });
    expect((await transfer(member, 'betflix', 'wallet', 50, 'once-again-1')).body).toMatchObject({
      status: 'SUCCESS',
      amount: 50,
    });
  });
});

test('both sides’ books agree in the end', async () => {
  const { rows } = await env.pool.query(
    "select g.member_id, a.balance from game_account g join ledger_account a on a.id = g.mirror_account where g.slot_code = 'betflix'",
  );
  const { players } = await env.control('books');
  for (const row of rows) {
    const there = players.find(
      (one: { agent: string; username: string }) =>
        one.agent === 'betflix' && one.username === `kp${row.member_id}`,
    );
    expect(BigInt(Math.round(Number(there.balance) * 100))).toBe(row.balance);
  }
});

import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdItem, holdQuery } from '../../testing/hold.ts';
import { type ApiResponse, startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { WITHDRAWAL_CHECK } from '../withdrawals/read.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.playedTimes', 0);
const { open, transfer, credits, owned } = gameHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** A member with 1,000.00 in the wallet and an opened game. */
async function player(): Promise<TestMember> {
  const member = await env.member({ amountMinor: 100_000n });
  await open(member, 'betflix');
  return member;
}

type Send = (member: TestMember, body: object) => Promise<ApiResponse>;
const post =
  (path: string, key: string): Send =>
  (member, body) =>
    env.call('POST', path, body, { token: member.token, key });

const IN = { from: 'wallet', to: 'betflix', amount: 100 };
/** What moves the money, and with the same key what is refused once it has read the game. */
const CALLS = [
  ['transfer', '/api/wallet/transfer', IN, { ...IN, amount: 0.5 }],
  ['transferAll', '/api/wallet/transferAll', { to: 'betflix' }, { to: 'unknown' }],
] as const;

/** Runs the call while another under its key waits after its look for the key, and then ends in a refusal. */
async function meet(member: TestMember, send: Send, body: object, other: object, before = async () => {}) {
  const early = holdQuery(env.pool, 'from slot where code');
  const otherReply = send(member, other);
  await early.held;
  const end = holdItem(env.app.deps.ledger, 'transfer_in_done');
  const reply = send(member, body);
  await end.held;
  await before();
  early.release();
  const second = await otherReply;
  end.release();
  return { first: await reply, second };
}

describe.each(CALLS)(
  'while a %s is in flight, a refusal of another call under its key',
  (_name, path, body, other) => {
    const send = post(path, 'one-key-1');

    /** The repeat answers what happened, and the money moved once. */
    async function expectOneEffect(member: TestMember, first: ApiResponse): Promise<void> {
      expect(first).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
      expect(await send(member, body)).toMatchObject({ status: 200, body: first.body });
      const moved = BigInt(first.body.amount) * 100n;
      expect([await env.balance(member), await credits(member, 'betflix')]).toEqual([
        100_000n - moved,
        moved,
      ]);
    }

    test('does not become its answer', async () => {
      const member = await player();
      const { first, second } = await meet(member, send, body, other);
      expect(second).toMatchObject({ status: 409, body: { message: 'IDEMPOTENCY_CONFLICT' } });
      await expectOneEffect(member, first);
    });

    test('does not free the key when it is temporary', async () => {
      const member = await player();
      const { first, second } = await meet(member, send, body, body, () => env.set('game.open', false));
      await env.set('game.open', true);
      expect(second).toMatchObject({ status: 503, body: { message: 'PROVIDER_UNAVAILABLE' } });
      await expectOneEffect(member, first);
    });
  },
);

/** How often a call moved money, after the first transfer into the game. */
async function moves(member: TestMember): Promise<number> {
  const { rows } = await env.pool.query(
    `select (select count(*)::int from provider_transfer where member_id = $1 and direction = 'IN') - 1
       + (select count(*)::int from withdrawal where member_id = $1) as count`,
    [member.id],
  );
  return rows[0].count;
}

/** What each call moves for a member who owns 1,000.00, and what it refuses under the same key. */
const RACES: [name: string, path: string, body: object, other: object][] = [
  ...CALLS.map(([name, path, body, other]): (typeof RACES)[number] => [name, path, body, other]),
  ['withdrawal', '/api/wallet/withdraw', { amount: 300 }, { amount: 1 }],
  ['withdrawal of everything', '/api/wallet/withdrawAll', { amount: 600 }, { amount: 1 }],
];

test.each(RACES)(
  'a %s and a refused call at once under one key: each repeat has its answer',
  async (_name, path, body, other) => {
    await env.allowSlowPartners();
    for (let round = 0; round < 6; round++) {
      const member = await player();
      await transfer(member, 'wallet', 'betflix', 500);
      const send = post(path, 'one-key-2');
      const bodies = round % 2 ? [body, other, body] : [other, body, body];
      const replies = await Promise.all(bodies.map((one) => send(member, one)));
      const repeats = await Promise.all(bodies.map((one) => send(member, one)));
      expect(repeats.map(({ status, body }) => ({ status, body }))).toEqual(
        replies.map(({ status, body }) => ({ status, body })),
      );
      const amounts = replies.flatMap(({ status, body }) => (status === 200 ? [body.amount] : []));
      expect([0, 2]).toContain(amounts.length);
      expect(await moves(member)).toBe(amounts.length ? 1 : 0);
      expect(await owned(member)).toBe(100_000n);
    }
  },
);

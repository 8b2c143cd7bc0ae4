import { expect, test } from 'vitest';
import { type ApiResponse, startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, transferAll, transfers, credits, owned } = gameHelpers(env);

async function player() {
  const member = await env.member({ amountMinor: 100_000n });
  for (const slot of ['betflix', 'areaslot']) await open(member, slot);
  await transfer(member, 'wallet', 'betflix', 500);
  return member;
}

const all = (member: TestMember, key: string) =>
  env.call('POST', '/api/wallet/withdrawAll', { amount: 700 }, { token: member.token, key });

/** Leaves a key in the state of a crashed call, with its planned moves. */
async function die(member: TestMember, key: string, unfinished: object): Promise<void> {
  const { rowCount } = await env.owner.query(
    `update idempotency set state = 'RUNNING', refused = false, wallet_after = null, answer = (answer::jsonb || $3::jsonb)::text
     where member_id = $1 and key = $2`,
    [member.id, key, JSON.stringify({ status: 'PENDING', message: 'OK', ...unfinished })],
  );
  expect(rowCount).toBe(1);
}

async function diedAfterTransfer(): Promise<[ApiResponse, ApiResponse]> {
  const member = await player();
  const first = await transfer(member, 'betflix', 'wallet', 200, 'died-key-1');
  await die(member, 'died-key-1', { moves: [first.body.id], amount: 0 });
  return [first, await transfer(member, 'betflix', 'wallet', 200, 'died-key-1')];
}

async function diedHalfway(): Promise<[ApiResponse, bigint]> {
  const member = await player();
  await transfer(member, 'betflix', 'areaslot', 100, 'died-key-3');
  const out = (await transfers(member)).find(({ direction }) => direction === 'OUT');
  await die(member, 'died-key-3', { moves: [out!.id, 'TFNEVERCAME'] });
  return [
    await transfer(member, 'betflix', 'areaslot', 100, 'died-key-3'),
    await credits(member, 'areaslot'),
  ];
}

async function diedAfterHold(): Promise<[ApiResponse, ApiResponse]> {
  const member = await player();
  const first = await all(member, 'died-key-5');
  await die(member, 'died-key-5', {});
  return [first, await all(member, 'died-key-5')];
}

/** What a call that emptied everything into another game had promised, with the ids it really used. */
async function planOf(member: TestMember, more: { into?: string }) {
  const rows = await transfers(member);
  const [out, into] = ['OUT', 'IN'].map((way) => rows.findLast(({ direction }) => direction === way)!.id);
  return { plan: { outs: [['betflix', out]], into, ...more }, legs: [], amount: 0 };
}

/** Emptying all into another game, whose call is then left as a crashed one; forty concurrent repeats. */
async function diedEmptying(key: string, more: { into?: string; fault?: string }) {
  const member = await player();
  if (more.fault)
    await env.fault({
      party: 'game-f',
      call: 'transfer',
      agent: 'areaslot',
      member: `kp${member.id}`,
      kind: more.fault,
      count: 1,
    });
  const first = await transferAll(member, 'areaslot', key);
  await die(member, key, await planOf(member, more.into ? { into: more.into } : {}));
  const again = await Promise.all(Array.from({ length: 40 }, () => transferAll(member, 'areaslot', key)));
  expect(new Set(again.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  // The response is stored: a repeat does not wait for the crashed call again.
  const { rows } = await env.owner.query('select state from idempotency where member_id = $1 and key = $2', [
    member.id,
    key,
  ]);
  expect(rows).toEqual([{ state: 'DONE' }]);
  expect((await transferAll(member, 'areaslot', key)).body).toEqual(again[0]!.body);
  expect(await owned(member)).toBe(100_000n);
  return { member, first, again: again[0]!, count: (await transfers(member)).length };
}

test('a repeat of a crashed call gets the state of its moves, and never moves a second time', async () => {
  // Each repeat first waits for the call that will never end, so all wait together.
  const [transferred, halfway, held, emptied, unknown, never] = await Promise.all([
    diedAfterTransfer(),
    diedHalfway(),
    diedAfterHold(),
    diedEmptying('died-all-1', {}),
    diedEmptying('died-all-2', { fault: 'cut-after' }),
    diedEmptying('died-all-3', { into: 'TFNEVERINTO' }),
  ]);
  expect(transferred[1].body).toEqual(transferred[0].body);
  expect(halfway).toMatchObject([{ status: 400, body: { message: 'TRANSFER_FAIL' } }, 1_000n]);
  expect(held[1].body).toEqual(held[0].body);
  expect(emptied.again.body).toEqual(emptied.first.body);
  // The game without a response was not called: the repeat calls it.
  expect(unknown.first.body).toMatchObject({ status: 'PENDING' });
  expect(unknown.again.body).toMatchObject({
    status: 'SUCCESS',
    amount: 1000,
    legs: [
      { from: 'betflix', amount: 500, status: 'SUCCESS' },
      { from: 'wallet', amount: 1000, status: 'SUCCESS' },
    ],
  });
  expect(never.again).toMatchObject({ status: 400, body: { message: 'TRANSFER_FAIL' } });
  for (const { count } of [emptied, unknown, never]) expect(count).toBe(3);
});

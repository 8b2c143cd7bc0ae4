import { expect, test } from 'vitest';
import { type Answer, startTown, type TestMember } from '../../testing/town.ts';
import { gameHands } from './testing-games.ts';

const town = await startTown({ jobs: false });
const { open, transfer, transfers, credits } = gameHands(town);

async function player() {
  const member = await town.member({ amountMinor: 100_000n });
  for (const slot of ['betflix', 'areaslot']) await open(member, slot);
  await transfer(member, 'wallet', 'betflix', 500);
  return member;
}

const all = (member: TestMember, key: string) =>
  town.call('POST', '/api/wallet/withdrawAll', { amount: 700 }, { token: member.token, key });

/** Leaves a key as a call leaves it that died on its way, with the moves it had promised. */
async function die(member: TestMember, key: string, unfinished: object): Promise<void> {
  const { rowCount } = await town.owner.query(
    `update idempotency set state = 'RUNNING', refused = false, wallet_after = null, answer = (answer::jsonb || $3::jsonb)::text
     where member_id = $1 and key = $2`,
    [member.id, key, JSON.stringify({ status: 'PENDING', message: 'OK', ...unfinished })],
  );
  expect(rowCount).toBe(1);
}

async function diedAfterTransfer(): Promise<[Answer, Answer]> {
  const member = await player();
  const first = await transfer(member, 'betflix', 'wallet', 200, 'died-key-1');
  await die(member, 'died-key-1', { moves: [first.body.id], amount: 0 });
  return [first, await transfer(member, 'betflix', 'wallet', 200, 'died-key-1')];
}

async function diedHalfway(): Promise<[Answer, bigint]> {
  const member = await player();
  await transfer(member, 'betflix', 'areaslot', 100, 'died-key-3');
  const out = (await transfers(member)).find(({ direction }) => direction === 'OUT');
  await die(member, 'died-key-3', { moves: [out!.id, 'TFNEVERCAME'] });
  return [
    await transfer(member, 'betflix', 'areaslot', 100, 'died-key-3'),
    await credits(member, 'areaslot'),
  ];
}

async function diedAfterHold(): Promise<[Answer, Answer]> {
  const member = await player();
  const first = await all(member, 'died-key-5');
  await die(member, 'died-key-5', {});
  return [first, await all(member, 'died-key-5')];
}

test('a repeat of a call that died hears what became of its moves, and never moves a second time', async () => {
  // Each repeat first waits for the call that will never end, so all wait together.
  const [transferred, halfway, held] = await Promise.all([
    diedAfterTransfer(),
    diedHalfway(),
    diedAfterHold(),
  ]);
  expect(transferred[1].body).toEqual(transferred[0].body);
  expect(halfway).toMatchObject([{ status: 400, body: { message: 'TRANSFER_FAIL' } }, 1_000n]);
  expect(held[1].body).toEqual(held[0].body);
}, 60_000);

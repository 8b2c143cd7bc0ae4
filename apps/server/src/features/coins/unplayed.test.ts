import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';

const env = await startTestEnv({ jobs: false });
const { deposit, withdraw } = bonusHelpers(env);
const operators = operatorHelpers(env);
const finance = await operators.operator('finance');

async function reject(id: string) {
  const path = `/api/operator/withdrawals/${id}`;
  await operators.call(finance, 'POST', `${path}/claim`);
  return operators.call(finance, 'POST', `${path}/reject`, { status: 'REVIEW', reason: 'Not played yet' });
}

beforeAll(() => env.set('withdraw.oneOpen', false));

/** The member's withdrawals, oldest first: how much of each was deposited and not bet, minor units. */
const withdrawals = async (
  member: TestMember,
): Promise<{ id: string; status: string; unplayed: bigint | null }[]> => {
  const { rows } = await env.owner.query(
    `select w.id, w.status, u.amount as unplayed from withdrawal w left join withdrawal_unplayed u on u.withdrawal_id = w.id
     where w.member_id = $1 order by w.created_at, w.id`,
    [member.id],
  );
  return rows;
};

/** For the rest of the test, runs something between the assessment of a withdrawal and its posting: once, or each time. */
function beforeHold(run: () => Promise<unknown>, { always = false } = {}): void {
  const { ledger } = env.app.deps;
  const post = ledger.post.bind(ledger);
  let isDone = false;
  const spy = vi.spyOn(ledger, 'post').mockImplementation(async (item) => {
    if (item.kind === 'withdrawal_hold' && (always || !isDone)) {
      isDone = true;
      await run();
    }
    return post(item);
  });
  onTestFinished(() => spy.mockRestore());
}

test('rule bypassed by concurrent calls: of withdrawals at once each is judged by what the others left', async () => {
  const member = await env.member({ amountMinor: 20_000n });
  await deposit(member, 200);
  const responses = await Promise.all([withdraw(member, 200), withdraw(member, 200)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const made = await withdrawals(member);
  expect(made.map(({ status, unplayed }) => [status, unplayed]).toSorted()).toEqual([
    ['QUEUED', null],
    ['REVIEW', 20_000n],
  ]);
});

test('rule bypassed by concurrent calls: of many at once no more is paid without a review than the member had before the deposit', async () => {
  const member = await env.member({ amountMinor: 30_000n });
  await deposit(member, 500);
  const responses = await Promise.all(Array.from({ length: 8 }, () => withdraw(member, 100)));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const queued = (await withdrawals(member)).filter(({ status }) => status === 'QUEUED');
  expect(queued.length).toBeGreaterThan(0);
  expect(queued.length).toBeLessThanOrEqual(3);
});

test('rule bypassed by concurrent calls: a deposit that arrives during the assessment counts', async () => {
  const member = await env.member({ amountMinor: 50_000n });
  beforeHold(() => deposit(member, 300));
  expect((await withdraw(member, 800)).status).toBe(200);
  expect(await withdrawals(member)).toMatchObject([{ status: 'REVIEW', unplayed: 30_000n }]);
});

test('rule bypassed by concurrent calls: of withdrawals at once no more than the limit is paid to an unverified member', async () => {
  await env.set('withdraw.playedTimes', 0);
  await env.set('withdraw.verifiedFrom', { BAHT: 300, LAK: 0 });
  const member = await env.member({ amountMinor: 80_000n });
  await Promise.all(Array.from({ length: 4 }, () => withdraw(member, 200)));
  expect((await withdrawals(member)).map(({ status }) => status).toSorted()).toEqual([
    'QUEUED',
    'REVIEW',
    'REVIEW',
    'REVIEW',
  ]);
  await env.set('withdraw.verifiedFrom', { BAHT: 0, LAK: 0 });
  await env.set('withdraw.playedTimes', 1);
});

const limits = async (member: TestMember) =>
  (await env.call('GET', '/api/lookup/withdraw', undefined, { token: member.token })).body;

test('promise refused: a member with deposits to bet is not offered an automatic payment of them', async () => {
  const member = await env.member({ amountMinor: 50_000n });
  expect(await limits(member)).toMatchObject({ owesBets: false, automaticMax: 2000 });
  await deposit(member, 300);
  expect(await limits(member)).toMatchObject({ owesBets: true, playedTimes: 1 });
  await env.set('withdraw.playedTimes', 3);
  expect(await limits(member)).toMatchObject({ owesBets: true, playedTimes: 3 });
  await env.set('withdraw.playedTimes', 0);
  expect(await limits(member)).toMatchObject({ owesBets: false });
  await env.set('withdraw.playedTimes', 1);
});

test('promise refused: what was paid automatically in 24 hours counts against what is offered', async () => {
  const member = await env.member({ amountMinor: 1_200_000n });
  for (let time = 0; time < 4; time++) await withdraw(member, 2000);
  expect(await limits(member)).toMatchObject({ automaticMax: 2000 });
  await withdraw(member, 1500);
  expect(await limits(member)).toMatchObject({ automaticMax: 500 });
  await withdraw(member, 450);
  expect(await limits(member)).toMatchObject({ automaticMax: 0 });
  await withdraw(member, 100);
  expect((await withdrawals(member)).at(-1)).toMatchObject({ status: 'REVIEW' });
});

test('a wallet that changes during every assessment leaves the withdrawal to an operator', async () => {
  const member = await env.member({ amountMinor: 50_000n });
  beforeHold(() => deposit(member, 100), { always: true });
  expect((await withdraw(member, 500)).status).toBe(200);
  expect(await withdrawals(member)).toMatchObject([{ status: 'REVIEW', unplayed: 0n }]);
});

test('rule bypassed: money of a withdrawal that fails after a later one was requested must be bet still', async () => {
  const member = await env.member();
  await deposit(member, 400);
  await withdraw(member, 200);
  await withdraw(member, 100);
  const [first, second] = await withdrawals(member);
  expect([first, second]).toMatchObject([{ unplayed: 20_000n }, { unplayed: 10_000n }]);
  expect(await reject(first!.id)).toMatchObject({ status: 200, body: { state: 'FAILED' } });
  await withdraw(member, 200);
  expect((await withdrawals(member))[2]).toMatchObject({ status: 'REVIEW', unplayed: 20_000n });
});

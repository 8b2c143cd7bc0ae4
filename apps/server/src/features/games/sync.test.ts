import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const games = gameHelpers(env);
const [som, support] = await Promise.all(['finance', 'support'].map((role) => operators.operator(role)));

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const sync = (as: TestOperator | null, member: TestMember, game = 'betflix') =>
  operators.call(as, 'POST', `/api/operator/members/${member.id}/games/${game}/sync`);
async function player(): Promise<TestMember> {
  const member = await env.member({ amountMinor: 50_000n });
  await games.open(member, 'betflix');
  await games.transfer(member, 'wallet', 'betflix', 100);
  return member;
}

test('books what the game has won or lost, with one audit row; a repeat finds nothing more', async () => {
  const member = await player();
  await games.play(member, 'betflix', 40, 'lose');
  expect((await sync(null, member)).status).toBe(401);
  expect((await sync(support!, member)).status).toBe(403);
  expect((await sync(som!, member, 'pg')).status).toBe(404);
  expect(await sync(som!, member)).toMatchObject({
    status: 200,
    body: { credits: 60, worth: 60, result: -40 },
  });
  expect(await games.gameBalance(member, 'betflix')).toBe(6_000n);
  expect(await sync(som!, member)).toMatchObject({ status: 200, body: { worth: 60, result: 0 } });
  const [first] = (await operators.audit(`member:${member.id}`)).filter(
    ({ action }) => action === 'game.sync',
  );
  expect(first).toMatchObject({
    before: { game: 'betflix', worth: '10000' },
    after: { game: 'betflix', worth: '6000' },
    actor: `operator:${som!.name}`,
  });
});

test('of forty at once books the difference once', async () => {
  await env.allowSlowPartners();
  const member = await player();
  await games.play(member, 'betflix', 30, 'lose');
  const responses = await Promise.all(Array.from({ length: 40 }, () => sync(som!, member)));
  expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(responses.reduce((sum, { body }) => sum + (body.result ?? 0), 0)).toBe(-30);
  expect(await games.gameBalance(member, 'betflix')).toBe(7_000n);
});

test('of a silent provider reports it and changes nothing', async () => {
  const member = await player();
  await env.fault({ party: 'game-f', kind: 'outage' });
  expect(await sync(som!, member)).toMatchObject({ status: 503, body: { message: 'PROVIDER_UNAVAILABLE' } });
  await env.control('faults', { clear: true });
  expect(await games.gameBalance(member, 'betflix')).toBe(10_000n);
});

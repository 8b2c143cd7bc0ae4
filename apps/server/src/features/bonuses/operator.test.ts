import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { TRANSFER_CHECK } from '../games/read.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const { offer, deposit, activate, clear, active } = bonusHelpers(env);
const { open, transfer, refresh } = gameHelpers(env);
const [som, support] = await Promise.all(['finance', 'support'].map((role) => operators.operator(role)));

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** A member with savings of 300.00, a deposit of 100.00 and the bonus of as much, Naga Tales opened. */
async function runner(change: Record<string, unknown> = {}): Promise<TestMember> {
  const member = await env.member({ amountMinor: 30_000n });
  await open(member, 'betflix');
  await deposit(member, 100);
  expect(await activate(member, await offer(change))).toMatchObject({ status: 200 });
  return member;
}

const end = (as: TestOperator | null, member: TestMember, outcome = 'forfeit', figures = 'fresh') =>
  operators.call(as, 'POST', `/api/operator/members/${member.id}/run/end`, {
    outcome,
    figures,
    reason: 'as agreed',
  });

test('an operator ends a run once, with one audit row; operators without the permission are refused', async () => {
  const member = await runner();
  expect((await end(null, member)).status).toBe(401);
  expect((await end(support!, member)).status).toBe(403);
  expect((await end(som!, member, 'win')).status).toBe(400);
  expect((await end(som!, await env.member())).status).toBe(404);
  expect(await end(som!, member)).toMatchObject({ status: 200, body: { state: 'FORFEITED', taken: 100 } });
  expect(await env.balance(member)).toBe(40_000n);
  expect((await end(som!, member)).status).toBe(404);
  const rows = (await operators.audit(`member:${member.id}`)).filter(({ action }) => action === 'bonus.end');
  expect(rows).toMatchObject([
    { actor: `operator:${som!.name}`, reason: 'as agreed', after: { state: 'FORFEITED', taken: '10000' } },
  ]);
});

test('of forty concurrent ends one takes effect, and the member retains at most what the terms allow', async () => {
  const member = await runner({ withdraw_max: 15_000n });
  const responses = await Promise.all(Array.from({ length: 40 }, () => end(som!, member, 'keep')));
  expect(responses.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([
    { state: 'SUCCESS', taken: 50 },
  ]);
  expect(await env.balance(member)).toBe(45_000n);
});

test('figures last known count only after a game was silent for a day; what is out of reach stays', async () => {
  const member = await runner();
  await transfer(member, 'wallet', 'betflix', 450);
  await refresh(member);
  await env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
  expect((await clear(member)).body.message).toBe('PROVIDER_UNAVAILABLE');
  expect((await end(som!, member, 'forfeit', 'known')).body.message).toBe('PROVIDER_UNAVAILABLE');
  await pass(env, clock, 25 * HOUR_MS);
  await env.owner.query("update operator_session set expires_at = 'infinity', seen_at = $1", [clock.now()]);
  await env.owner.query("update session set expires_at = 'infinity'");
  expect((await end(som!, member)).body.message).toBe('PROVIDER_UNAVAILABLE');
  expect(await end(som!, member, 'forfeit', 'known')).toMatchObject({
    status: 200,
    body: { state: 'FORFEITED', taken: 50 },
  });
  expect(await active(member)).toMatchObject({ status: false });
  await env.control('faults', { clear: true });
});

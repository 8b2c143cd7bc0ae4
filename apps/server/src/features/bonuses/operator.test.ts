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
const { offer, deposit, activate, clear, active, forfeit, inOneTurn } = bonusHelpers(env);
const { open, play, transfer, refresh } = gameHelpers(env);
const [som, support, checker] = await Promise.all(
  ['finance', 'support', 'finance-lead'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** The member's active run, or one that never was. */
const runOf = async (member: TestMember): Promise<string> => {
  const sql = "select id from bonus_run where member_id = $1 and state = 'ACTIVE'";
  return (await env.owner.query(sql, [member.id])).rows[0]?.id ?? 'BN-NONE';
};

/** A member with savings of 300.00, a deposit of 100.00 and the bonus of as much, Naga Tales opened. */
async function runner(change: Record<string, unknown> = {}): Promise<TestMember> {
  const member = await env.member({ amountMinor: 30_000n });
  await open(member, 'betflix');
  await deposit(member, 100);
  expect(await activate(member, await offer(change))).toMatchObject({ status: 200 });
  return member;
}

const end = async (
  as: TestOperator | null,
  member: TestMember,
  outcome = 'forfeit',
  { figures = 'fresh', run = '' } = {},
) =>
  operators.call(as, 'POST', `/api/operator/members/${member.id}/run/end`, {
    run: run || (await runOf(member)),
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

test('an operator ends the run that was read: one that began since is refused and goes on', async () => {
  const member = await runner();
  const run = await runOf(member);
  expect((await forfeit(member)).status).toBe(200);
  await deposit(member, 100);
  expect(await activate(member, await offer())).toMatchObject({ status: 200 });
  const late = await end(som!, member, 'forfeit', { run });
  expect(late).toMatchObject({ status: 409, body: { message: 'ROW_CHANGED', data: { state: 'ENDED' } } });
  expect(await active(member)).toMatchObject({ status: true });
});

test('of forty concurrent ends one takes effect, and the member retains at most what the terms allow', async () => {
  const member = await runner({ withdraw_max: 15_000n });
  const responses = await Promise.all(Array.from({ length: 40 }, () => end(som!, member, 'keep')));
  expect(responses.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([
    { state: 'SUCCESS', taken: 50, approval: null },
  ]);
  expect(await env.balance(member)).toBe(45_000n);
});

test('an operator alone leaves a member no more of a run than a manual credit may be; above it a second person agrees', async () => {
  const large = { award: 'fixed', award_amount: 150_000n, award_max: null, deposit_min: null };
  const member = await runner(large);
  const asked = await end(som!, member, 'keep');
  expect(asked).toMatchObject({ status: 200, body: { state: 'ACTIVE', taken: 0 } });
  expect(await active(member)).toMatchObject({ status: true });
  const again = await end(som!, member, 'keep');
  expect(again).toMatchObject({ status: 409, body: { message: 'APPROVAL_PENDING' } });
  const approve = (as: TestOperator) =>
    operators.call(as, 'POST', `/api/operator/approvals/${asked.body.approval}/approve`, {});
  expect((await approve(som!)).body.message).toBe('UNAUTHORIZED');
  const decided = await Promise.all(Array.from({ length: 10 }, () => approve(checker!)));
  expect(decided.filter(({ status }) => status === 200).map(({ body }) => body.state)).toEqual(['SUCCESS']);
  expect(await env.balance(member)).toBe(30_000n + 10_000n + 150_000n);
  const rows = (await operators.audit(`member:${member.id}`)).filter(({ action }) => action === 'bonus.end');
  expect(rows).toMatchObject([{ actor: `operator:${checker!.name}`, after: { maker: som!.name } }]);
});

test('a request to leave a member money of a run covers no more than was asked for', async () => {
  const member = await runner({ award: 'fixed', award_amount: 150_000n, award_max: null, deposit_min: null });
  const asked = await end(som!, member, 'keep');
  await transfer(member, 'wallet', 'betflix', 500);
  await play(member, 'betflix', 200, 'win');
  const path = `/api/operator/approvals/${asked.body.approval}/approve`;
  expect((await operators.call(checker!, 'POST', path, {})).body).toEqual({
    message: 'ROW_CHANGED',
    data: { state: 'ACTIVE' },
  });
  expect(await active(member)).toMatchObject({ status: true });
});

test('what an operator leaves members of runs adds up within a day', async () => {
  const member = await runner({ award: 'fixed', award_amount: 60_000n, deposit_min: null });
  expect((await end(som!, member, 'keep')).body).toMatchObject({ state: 'SUCCESS' });
  await deposit(member, 100);
  const second = await offer({ award: 'fixed', award_amount: 60_000n, deposit_min: null });
  expect(await activate(member, second)).toMatchObject({ status: 200 });
  const { body } = await end(som!, member, 'keep');
  expect(body).toMatchObject({ state: 'ACTIVE', approval: expect.any(String) });
  // Giving up takes money from the member and no one else: one person may decide it.
  expect((await end(som!, member, 'forfeit')).body).toMatchObject({ state: 'FORFEITED', approval: null });
  const approved = await operators.call(
    checker!,
    'POST',
    `/api/operator/approvals/${body.approval}/approve`,
    {},
  );
  expect(approved).toMatchObject({ status: 409, body: { message: 'ROW_CHANGED' } });
});

test('figures last known count only after a game was silent for a day; what is out of reach stays', async () => {
  const member = await runner();
  await transfer(member, 'wallet', 'betflix', 450);
  await refresh(member);
  await env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
  expect((await clear(member)).body.message).toBe('PROVIDER_UNAVAILABLE');
  expect((await end(som!, member, 'forfeit', { figures: 'known' })).body.message).toBe(
    'PROVIDER_UNAVAILABLE',
  );
  await pass(env, clock, 25 * HOUR_MS);
  await env.owner.query("update operator_session set expires_at = 'infinity', seen_at = $1", [clock.now()]);
  await env.owner.query("update session set expires_at = 'infinity'");
  expect((await end(som!, member)).body.message).toBe('PROVIDER_UNAVAILABLE');
  expect(await end(som!, member, 'forfeit', { figures: 'known' })).toMatchObject({
    status: 200,
    body: { state: 'FORFEITED', taken: 50 },
  });
  expect(await active(member)).toMatchObject({ status: false });
  await env.control('faults', { clear: true });
});

test('two short outages a day apart are no silence of a day', async () => {
  const members = [await runner(), await runner()];
  const outage = () => env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
  const isOver = () => env.control('faults', { clear: true });
  const stuck = async () => {
    const sql = 'select stuck_since is not null as stuck from bonus_run where member_id = any($1)';
    return (await env.pool.query(sql, [members.map(({ id }) => id)])).rows.map((row) => row.stuck);
  };
  await outage();
  for (const member of members) expect((await clear(member)).body.message).toBe('PROVIDER_UNAVAILABLE');
  await env.app.runJob('bonuses.recheck');
  expect(await stuck()).toEqual([true, true]);
  await isOver();
  await env.app.runJob('bonuses.recheck');
  expect(await stuck()).toEqual([false, false]);
  await pass(env, clock, 25 * HOUR_MS);
  await env.owner.query("update operator_session set expires_at = 'infinity', seen_at = $1", [clock.now()]);
  await env.owner.query("update session set expires_at = 'infinity'");
  await outage();
  for (const member of members)
    expect((await end(som!, member, 'forfeit', { figures: 'known' })).body.message).toBe(
      'PROVIDER_UNAVAILABLE',
    );
  await isOver();
  expect(await end(som!, members[0]!)).toMatchObject({ status: 200, body: { state: 'FORFEITED' } });
});

test('one operator does what needs two: a forfeit by figures last known leaves no more out of reach than a manual credit may be', async () => {
  const member = await runner({ award: 'fixed', award_amount: 150_000n, award_max: null, deposit_min: null });
  await transfer(member, 'wallet', 'betflix', 1_900);
  await refresh(member);
  await env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
  expect((await end(som!, member)).body.message).toBe('PROVIDER_UNAVAILABLE');
  await pass(env, clock, 25 * HOUR_MS);
  await env.owner.query("update operator_session set expires_at = 'infinity', seen_at = $1", [clock.now()]);
  await env.owner.query("update session set expires_at = 'infinity'");
  const asked = await end(som!, member, 'forfeit', { figures: 'known' });
  expect(asked).toMatchObject({ status: 200, body: { state: 'ACTIVE', approval: expect.any(String) } });
  expect(await active(member)).toMatchObject({ status: true });
  expect((await decide(asked.body.approval, 'approve')).body).toMatchObject({ state: 'FORFEITED' });
  await env.control('faults', { clear: true });
});

const reverse = (id: string) =>
  operators.call(som!, 'POST', `/api/operator/deposits/${id}/reverse`, { reason: 'paid by mistake' });
const decide = (approval: string, what: string) =>
  operators.call(checker!, 'POST', `/api/operator/approvals/${approval}/${what}`, { note: 'not theirs' });

test('a deposit whose reversal is requested backs no bonus until the request is refused', async () => {
  const member = await env.member();
  const [id, code] = [await deposit(member, 100), await offer()];
  const asked = await reverse(id);
  expect(await activate(member, code)).toMatchObject({
    status: 400,
    body: { message: 'BONUS_DEPOSIT_REQUIRED' },
  });
  expect((await decide(asked.body.approval, 'refuse')).status).toBe(200);
  expect(await activate(member, code)).toMatchObject({ status: 200, body: { isActive: true } });
});

test('a transfer that is taken back and credited again backs no second run of its member', async () => {
  await env.set('desk.makerChecker', false);
  const [member, owner] = [await env.member(), await env.member()];
  const sql = `select t.id::text from bank_transaction t join deposit d using (bank_code, bank_reference) where d.id = $1`;
  const [id, code] = [await deposit(member, 100), await offer({ award: 'fixed', award_amount: 1_000n })];
  const creditAgain = async (to: TestMember) => {
    const [transaction] = (await env.pool.query(sql, [id])).rows;
    await operators.call(som!, 'POST', `/api/operator/unmatched/${transaction.id}/claim`);
    const path = `/api/operator/unmatched/${transaction.id}/assign`;
    expect(
      await operators.call(som!, 'POST', path, { member: to.phone, reason: 'own account' }),
    ).toMatchObject({
      status: 200,
    });
    const { rows } = await env.pool.query(
      'select id from deposit where member_id = $1 order by entry_id desc limit 1',
      [to.id],
    );
    return rows[0].id as string;
  };
  expect(await activate(member, code)).toMatchObject({ status: 200 });
  expect(await end(som!, member)).toMatchObject({ status: 200 });
  expect((await reverse(id)).status).toBe(200);
  const again = await creditAgain(member);
  expect(await activate(member, code)).toMatchObject({
    status: 400,
    body: { message: 'BONUS_DEPOSIT_REQUIRED' },
  });
  // It was never the first member's: their run does not count against its owner.
  expect((await reverse(again)).status).toBe(200);
  await creditAgain(owner);
  expect(await activate(owner, code)).toMatchObject({ status: 200, body: { isActive: true } });
  await env.set('desk.makerChecker', true);
});

test('guard blind to its own batch: no run is backed by a deposit that is reversed at once', async () => {
  await env.set('desk.makerChecker', false);
  const member = await env.member({ amountMinor: 30_000n });
  const [id, code] = [await deposit(member, 100), await offer()];
  inOneTurn('deposit_reversed', 'bonus_granted');
  const [start, back] = await Promise.all([activate(member, code), reverse(id)]);
  await env.set('desk.makerChecker', true);
  expect([start.status, back.status]).toEqual([400, 200]);
});

test('the reversal of a deposit names the active run it backs, to the maker and to the checker', async () => {
  const member = await env.member({ amountMinor: 30_000n });
  const id = await deposit(member, 100);
  const row = async () =>
    (await operators.call(som!, 'GET', `/api/operator/deposits?q=${id}`)).body.deposits[0];
  expect(await row()).toMatchObject({ run: null });
  await activate(member, await offer());
  const { run } = await row();
  expect(run).toEqual(expect.any(String));
  const asked = await reverse(id);
  const { body } = await operators.call(checker!, 'GET', '/api/operator/approvals?state=PENDING');
  const request = body.approvals.find((one: { id: string }) => one.id === asked.body.approval);
  expect(request.summary).toMatchObject({ amount: 100, run });
  expect((await decide(asked.body.approval, 'approve')).status).toBe(200);
  expect(await active(member)).toMatchObject({ status: true });
  expect((await end(som!, member)).status).toBe(200);
  expect(await row()).toMatchObject({ run: null, reversedAt: expect.any(String) });
});

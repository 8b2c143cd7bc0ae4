import { beforeAll, describe, expect, test } from 'vitest';
import type { TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { riskHelpers } from './testing-risk.ts';

const env = await startTestEnv({ jobs: false });
const script = riskHelpers(env);
const { operators } = script;
let finance: TestOperator;
let lead: TestOperator;
let admin: TestOperator;

beforeAll(async () => {
  finance = await operators.operator('finance');
  lead = await operators.operator('finance-lead');
  admin = await operators.operator('admin');
  await env.set('withdraw.oneOpen', false);
});

const LIST = '/api/operator/withdrawals';
const list = async (query: string): Promise<{ id: string; risk: { score: number } }[]> =>
  (await operators.call(finance, 'GET', `${LIST}?${query}`)).body.withdrawals;

async function alertsOf(id: string): Promise<object[]> {
  const { rows } = await env.pool.query(
    "select kind, detail from alert where subject = 'withdrawal:' || $1 and closed_at is null",
    [id],
  );
  return rows;
}

/** A member with refused slips and a shared device: 80 points. */
async function suspect(): Promise<TestMember> {
  const [one, other] = [await env.member({ amountMinor: 1_000_000n }), await env.member()];
  const network = `203.0.113.${Number(one.id) % 250}`;
  await script.refuseSlips(one, 3);
  for (const member of [one, other]) await script.login(member, network);
  return one;
}

describe('a withdrawal is stored with what decided', () => {
  test('the amount and the total of a day, beside the settings of then', async () => {
    const one = await env.member({ amountMinor: 5_000_000n });
    const big = await script.withdraw(finance, one, 2_001);
    expect(big).toMatchObject({
      status: 'REVIEW',
      assessment: { score: 0, reasons: ['AMOUNT'], automaticMax: 2_000, reviewScore: 30, holdScore: 70 },
    });
    await env.set('withdraw.automaticDayMax', { BAHT: 500, LAK: 0 });
    expect((await script.withdraw(finance, one, 400)).automatic).toBe(true);
    const second = await script.withdraw(finance, one, 101);
    expect(second).toMatchObject({
      automatic: false,
      assessment: { reasons: ['DAY'], dayTotal: 400, automaticDayMax: 500 },
    });
    await env.set('withdraw.automaticDayMax', { BAHT: 10_000, LAK: 0 });
    // A past decision is returned as it was recorded.
    const again = await operators.call(finance, 'GET', `${LIST}/${second.id}`);
    expect(again.body.assessment).toEqual(second.assessment);
  });

  test('the total of a day holds for withdrawals at the same moment', async () => {
    await env.set('withdraw.automaticDayMax', { BAHT: 500, LAK: 0 });
    const one = await env.member({ amountMinor: 5_000_000n });
    const both = await Promise.all([400, 400].map((amount) => script.withdraw(finance, one, amount)));
    await env.set('withdraw.automaticDayMax', { BAHT: 10_000, LAK: 0 });
    expect(both.map(({ automatic }) => automatic).toSorted()).toEqual([false, true]);
    expect(both.map(({ assessment }) => assessment.reasons)).toContainEqual(['DAY']);
  });

  test('an account in its cooling-off period is a reason beside the others', async () => {
    const one = await env.member({ amountMinor: 100_000n });
    await env.owner.query(
      "update bank_account set cool_until = now() + interval '1 hour' where member_id = $1",
      [one.id],
    );
    expect(await script.withdraw(finance, one, 100)).toMatchObject({
      status: 'QUEUED',
      automatic: true,
      assessment: { reasons: ['COOLING'] },
      flags: [{ kind: 'NEW_ACCOUNT' }],
    });
  });

  test('notes and conversation stand beside it for who may read them', async () => {
    const one = await env.member({ amountMinor: 100_000n });
    const before = await script.withdraw(finance, one, 100);
    await operators.call(lead, 'POST', `/api/operator/members/${one.id}/notes`, { text: 'called back' });
    const detail = await script.withdraw(finance, one, 150);
    expect(detail.notes).toMatchObject([{ text: 'called back', by: lead.name }]);
    expect(detail.recent).toMatchObject([{ id: before.id, amount: 100, score: 0 }]);
  });
});

describe('a score from the threshold on', () => {
  test('holds: one operator alone cannot approve, an alert opens, a second person decides', async () => {
    const detail = await script.withdraw(finance, await suspect(), 100);
    expect(detail).toMatchObject({
      status: 'REVIEW',
      needsChecker: true,
      risk: { score: 80, outcome: 'held' },
      assessment: { score: 80, reasons: ['HELD'] },
    });
    expect(await alertsOf(detail.id)).toEqual([{ kind: 'risk-score', detail: '80' }]);
    const path = `${LIST}/${detail.id}`;
    await operators.call(finance, 'POST', `${path}/claim`);
    const requested = await operators.call(finance, 'POST', `${path}/approve`, { status: 'REVIEW' });
    expect(requested.body).toEqual({ state: 'REVIEW', approval: expect.any(String) });
    const approved = await operators.call(
      lead,
      'POST',
      `/api/operator/approvals/${requested.body.approval}/approve`,
      {},
    );
    expect(approved.body).toMatchObject({ state: 'QUEUED' });
    expect(await alertsOf(detail.id)).toEqual([]);
  });

  test('a withdrawal without any points opens no alert, also where alerts begin at 0', async () => {
    await env.set('risk.alertScore', 0);
    const detail = await script.withdraw(finance, await env.member({ amountMinor: 100_000n }), 100);
    await env.set('risk.alertScore', 70);
    expect(detail).toMatchObject({ assessment: { score: 0 } });
    expect(await alertsOf(detail.id)).toEqual([]);
  });

  test('the thresholds in force decide who approves, not those of the request', async () => {
    const detail = await script.withdraw(finance, await suspect(), 100);
    await env.set('risk.holdScore', 90);
    const now = (await operators.call(finance, 'GET', `${LIST}/${detail.id}`)).body;
    expect(now).toMatchObject({
      needsChecker: false,
      risk: { outcome: 'review' },
      assessment: { holdScore: 70 },
    });
    await env.set('risk.holdScore', 70);
  });

  test('is a filter and an order of the list', async () => {
    const held = await script.withdraw(finance, await suspect(), 100);
    const plain = await script.withdraw(finance, await env.member({ amountMinor: 1_000_000n }), 2_001);
    const ids = async (query: string) => (await list(`status=REVIEW&limit=100&${query}`)).map(({ id }) => id);
    expect(await ids('risk=held')).toContain(held.id);
    expect(await ids('risk=held')).not.toContain(plain.id);
    expect(await ids('risk=pass')).toContain(plain.id);
    expect(await ids('risk=review')).not.toContain(held.id);
    expect(await ids('olderMinutes=5')).toEqual([]);
    const scores = (await list('status=REVIEW&limit=100&sort=-risk')).map(({ risk }) => risk.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('a part without points counts for nothing', async () => {
    await env.set('risk.slipPoints', 0);
    const one = await env.member({ amountMinor: 100_000n });
    await script.refuseSlips(one, 3);
    expect((await script.withdraw(finance, one, 100)).automatic).toBe(true);
    await env.set('risk.slipPoints', 40);
  });
});

describe('a trial of other settings', () => {
  const attempt = (values: object, as = admin) =>
    operators.call(as, 'POST', '/api/operator/risk/trial', { values });

  test('tells what they would have stopped of what was known then, and changes nothing', async () => {
    const one = await env.member({ amountMinor: 100_000n });
    await script.refuseSlips(one, 2);
    const passed = await script.withdraw(finance, one, 100);
    expect(passed.automatic).toBe(true);
    const before = (await attempt({})).body;
    expect(before.tried).toEqual(before.now);
    // Later evidence does not count: it was not known then.
    await script.refuseSlips(one, 5, 1);
    const { body } = await attempt({ 'risk.slips': 2 });
    expect(body.assessed).toBe(before.assessed);
    expect(body.now).toEqual(before.now);
    expect(body.tried.review).toBe(before.now.review + 1);
    expect(body.withdrawals[0]).toMatchObject({
      id: passed.id,
      amount: 100,
      scoreNow: 0,
      scoreTried: 40,
      outcomeNow: 'pass',
      outcomeTried: 'review',
    });
    expect(env.app.deps.settings.get('risk.slips')).toBe(3);
    const loose = (await attempt({ 'risk.reviewScore': 101, 'risk.holdScore': 101, 'risk.alertScore': 101 }))
      .body;
    expect(loose.tried).toEqual({ review: 0, held: 0, alerts: 0 });
  });

  test('counts withdrawals without a score apart', async () => {
    const before = (await attempt({})).body;
    const detail = await script.withdraw(finance, await env.member({ amountMinor: 100_000n }), 100);
    await env.owner.query('delete from risk_assessment where withdrawal_id = $1', [detail.id]);
    expect((await attempt({})).body).toMatchObject({
      assessed: before.assessed,
      unassessed: before.unassessed + 1,
    });
  });

  test('takes settings of the score only, with values that fit, from who may read both', async () => {
    for (const values of [
      { 'withdraw.maximum': { BAHT: 1, LAK: 1 } },
      { 'risk.slips': -1 },
      { 'risk.none': 1 },
    ])
      expect((await attempt(values)).body).toMatchObject({ message: 'INVALID_REQUEST' });
    expect((await attempt({}, await operators.operator('marketing'))).body.message).toBe('UNAUTHORIZED');
  });

  test('a change of the score needs a second person', async () => {
    const change = { value: 50, version: 0, reason: 'as tried' };
    const response = await operators.call(admin, 'PUT', '/api/operator/settings/risk.reviewScore', change);
    expect(response.body).toEqual({ state: 'UNCHANGED', approval: expect.any(String) });
  });
});

test('an alert about a withdrawal that needs no review ends with the withdrawal', async () => {
  await env.set('risk.alertScore', 20);
  await env.set('risk.reviewScore', 90);
  await env.set('risk.holdScore', 90);
  const detail = await script.withdraw(finance, await suspect(), 100);
  expect(detail).toMatchObject({ status: 'QUEUED', automatic: true });
  expect(await alertsOf(detail.id)).toEqual([{ kind: 'risk-score', detail: '80' }]);
  await env.app.runJob('withdrawals.pay');
  await env.control('clock', { advanceMs: 2_000 });
  await until(async () => {
    await env.app.runJob('withdrawals.ask', { id: detail.id });
    const { rows } = await env.pool.query('select status from withdrawal where id = $1', [detail.id]);
    return rows[0].status === 'SUCCESS';
  });
  expect(await alertsOf(detail.id)).toEqual([]);
  await env.set('risk.alertScore', 70);
  await env.set('risk.holdScore', 70);
  await env.set('risk.reviewScore', 30);
});

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = operatorHelpers(env);
const [admin, second] = await Promise.all(['admin', 'admin'].map((role) => helpers.operator(role)));
const REASON = { reason: 'as agreed' };

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

const limit = (kind: 'pay' | 'credit', action: number | null, day: number | null) => ({
  kind,
  currency: 'BAHT',
  action,
  day,
});
const agree = async (requested: { body: { approval: string } }) =>
  helpers.call(second!, 'POST', `/api/operator/approvals/${requested.body.approval}/approve`, {});
/** Requests as one administrator and approves as another. */
async function change(method: string, path: string, body: object): Promise<void> {
  const requested = await helpers.call(admin!, method, `/api/operator/${path}`, { ...body, ...REASON });
  expect(requested.status, JSON.stringify(requested.body)).toBe(200);
  expect((await agree(requested)).status).toBe(200);
}
const roleOf = async (code: string) =>
  (await helpers.call(admin!, 'GET', '/api/operator/roles')).body.roles.find(
    (role: { code: string }) => role.code === code,
  );
const credit = (as: TestOperator, member: TestMember, amount: number) =>
  helpers.call(as, 'POST', `/api/operator/members/${member.id}/entries`, {
    ...{ direction: 'credit', amount, category: 'goodwill', key: randomUUID(), ...REASON },
  });

test('a role is copied, renamed, given limits, and removed once it is unassigned', async () => {
  const { permissions } = await roleOf('finance');
  const limits = [limit('credit', 100, 250)];
  await change('PUT', 'roles/night-finance', { permissions, name: 'กะดึก', limits });
  expect(await roleOf('night-finance')).toEqual({
    ...{ code: 'night-finance', name: 'กะดึก', permissions, limits, operators: 0 },
  });
  await change('PUT', 'roles/night-finance', { permissions: ['today.read'], name: 'กลางคืน' });
  expect(await roleOf('night-finance')).toMatchObject({
    name: 'กลางคืน',
    permissions: ['today.read'],
    limits,
  });
  await helpers.operator('night-finance');
  const path = '/api/operator/roles/night-finance/remove';
  expect((await helpers.call(admin!, 'POST', path, REASON)).body.message).toBe('ROLE_IN_USE');
  await env.owner.query("update operator set role = 'support' where role = 'night-finance'");
  const requested = await helpers.call(admin!, 'POST', path, REASON);
  // An operator gets the role before the second administrator agrees.
  const late = await helpers.operator('night-finance');
  expect((await agree(requested)).body.message).toBe('ROLE_IN_USE');
  await env.owner.query('update operator set role = $2 where id = $1', [late.id, 'support']);
  expect((await agree(requested)).status).toBe(200);
  expect(await roleOf('night-finance')).toBeUndefined();
  const { rows } = await env.owner.query("select * from operator_limit where subject = 'role:night-finance'");
  expect(rows).toEqual([]);
  expect((await helpers.audit('role:night-finance')).map((row) => row.action)).toEqual([
    ...['approval.request', 'role.change', 'approval.request', 'role.change'],
    ...['approval.request', 'role.remove'],
  ]);
});

test('a new role with a code in use is refused when it is requested, and when it is carried out', async () => {
  const { permissions } = await roleOf('risk');
  const added = { permissions: ['today.read'], isNew: true, ...REASON };
  const put = (as: TestOperator | undefined, code: string) =>
    helpers.call(as!, 'PUT', `/api/operator/roles/${code}`, added);
  expect((await put(admin, 'risk')).body.message).toBe('CODE_TAKEN');
  expect(await roleOf('risk')).toMatchObject({ permissions });
  const requested = await put(admin, 'new-shift');
  expect(requested.status).toBe(200);
  await env.owner.query(
    "insert into operator_role (code, permissions, updated_at) values ('new-shift', '{slip.read}', now())",
  );
  expect((await agree(requested)).body.message).toBe('CODE_TAKEN');
  expect(await roleOf('new-shift')).toMatchObject({ permissions: ['slip.read'] });
  await env.owner.query("delete from operator_role where code = 'new-shift'");
  expect((await agree(requested)).status).toBe(200);
  expect(await roleOf('new-shift')).toMatchObject({ permissions: ['today.read'] });
});

test('a request for a role shows name and limits in force, and whether they changed since', async () => {
  const { permissions } = await roleOf('risk');
  const [maker, other, reader] = await Promise.all([1, 2, 3].map(() => helpers.operator('admin')));
  const path = '/api/operator/roles/risk';
  const body = { permissions, name: 'ความเสี่ยง', limits: [limit('credit', 100, null)], ...REASON };
  const { approval } = (await helpers.call(maker!, 'PUT', path, body)).body;
  const read = async () =>
    (await helpers.call(reader!, 'GET', `/api/operator/approvals/${approval}/thread`)).body;
  expect(await read()).toMatchObject({
    current: { from: permissions, fromName: '', fromLimits: [] },
    changed: false,
  });
  await env.owner.query(
    "insert into operator_limit (subject, kind, currency, action_max) values ('role:risk', 'credit', 'BAHT', 5000)",
  );
  expect(await read()).toMatchObject({ current: { fromLimits: [limit('credit', 50, null)] }, changed: true });
  await helpers.call(maker!, 'POST', `/api/operator/approvals/${approval}/withdraw`, {});
  const own = await helpers.call(maker!, 'PUT', `/api/operator/operators/${other!.name}/limits`, {
    limits: [limit('credit', 100, null)],
    ...REASON,
  });
  const thread = `/api/operator/approvals/${own.body.approval}/thread`;
  expect((await helpers.call(reader!, 'GET', thread)).body).toMatchObject({
    current: { from: [] },
    changed: false,
  });
});

test('credits stop at the limits of role and person, at once and within a day', async () => {
  const [finance, other] = [await helpers.operator('finance'), await helpers.operator('finance')];
  const member = await env.member();
  await change('PUT', `operators/${finance.name}/limits`, { limits: [limit('credit', 300, 500)] });
  expect((await credit(finance, member, 301)).body.message).toBe('OPERATOR_LIMIT');
  expect((await credit(finance, member, 300)).status).toBe(200);
  expect((await credit(finance, member, 201)).body.message).toBe('OPERATOR_LIMIT');
  expect((await credit(finance, member, 200)).status).toBe(200);
  expect((await credit(other, member, 301)).status).toBe(200);
  expect(await env.balance(member)).toBe(80_100n);
  const { permissions } = await roleOf('finance');
  await change('PUT', 'roles/finance', { permissions, limits: [limit('credit', 250, null)] });
  expect((await credit(other, member, 260)).body.message).toBe('OPERATOR_LIMIT');
  expect((await credit(other, member, 240)).status).toBe(200);
  // A day later the day's sum begins anew; of the two limits at once the lower counts.
  clock.push(DAY_MS + 1000);
  const later = await helpers.operator('finance');
  await env.owner.query('update operator_session set operator_id = $2 where operator_id = $1', [
    later.id,
    finance.id,
  ]);
  expect((await credit(later, member, 260)).body.message).toBe('OPERATOR_LIMIT');
  expect((await credit(later, member, 240)).status).toBe(200);
});

test('of many credits at once no more than the limit of the day is booked', async () => {
  const finance = await helpers.operator('finance');
  const fresh = [await helpers.operator('admin'), await helpers.operator('admin')];
  const requested = await helpers.call(fresh[0]!, 'PUT', `/api/operator/operators/${finance.name}/limits`, {
    limits: [limit('credit', null, 500)],
    ...REASON,
  });
  await helpers.call(fresh[1]!, 'POST', `/api/operator/approvals/${requested.body.approval}/approve`, {});
  const members = await Promise.all(Array.from({ length: 12 }, () => env.member()));
  const results = await Promise.all(members.map((member) => credit(finance, member, 100)));
  expect(results.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(results.filter(({ body }) => body.message === 'OPERATOR_LIMIT')).toHaveLength(7);
  const balances = await Promise.all(members.map((member) => env.balance(member)));
  expect(balances.reduce((sum, balance) => sum + balance)).toBe(50_000n);
});

test('of many withdrawals approved and settled manually at once no more than the limit is paid', async () => {
  const finance = await helpers.operator('finance');
  const fresh = [await helpers.operator('admin'), await helpers.operator('admin')];
  const requested = await helpers.call(fresh[0]!, 'PUT', `/api/operator/operators/${finance.name}/limits`, {
    limits: [limit('pay', 3_000, 6_000)],
    ...REASON,
  });
  await helpers.call(fresh[1]!, 'POST', `/api/operator/approvals/${requested.body.approval}/approve`, {});
  const waiting = async (amount: number) => {
    const member = await env.member({ amountMinor: 1_000_000n });
    const made = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
    const path = `/api/operator/withdrawals/${made.body.id}`;
    expect((await helpers.call(finance, 'POST', `${path}/claim`)).status).toBe(200);
    return path;
  };
  const approve = (path: string) => helpers.call(finance, 'POST', `${path}/approve`, { status: 'REVIEW' });
  expect((await approve(await waiting(3_001))).body.message).toBe('OPERATOR_LIMIT');
  const paths = await Promise.all(Array.from({ length: 4 }, () => waiting(2_500)));
  const payManually = (path: string) =>
    helpers.call(finance, 'POST', `${path}/paid`, {
      ...{ status: 'REVIEW', proof: `transfer of ${path}`, bankCode: 'KBANK', ...REASON },
    });
  const results = await Promise.all([
    ...paths.slice(0, 2).map(approve),
    ...paths.slice(2).map((path) => payManually(path)),
  ]);
  expect(results.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(results.filter(({ body }) => body.message === 'OPERATOR_LIMIT')).toHaveLength(2);
});

test('limits stale: what was approved and undone on another day counts again when it is approved', async () => {
  const finance = await helpers.operator('finance');
  const fresh = [await helpers.operator('admin'), await helpers.operator('admin')];
  const requested = await helpers.call(fresh[0]!, 'PUT', `/api/operator/operators/${finance.name}/limits`, {
    limits: [limit('pay', null, 5_000)],
    ...REASON,
  });
  await helpers.call(fresh[1]!, 'POST', `/api/operator/approvals/${requested.body.approval}/approve`, {});
  const waiting = async (): Promise<string> => {
    const member = await env.member({ amountMinor: 250_000n });
    const made = await env.call('POST', '/api/wallet/withdraw', { amount: 2_500 }, { token: member.token });
    return made.body.id;
  };
  const approve = async (as: TestOperator, id: string) => {
    await helpers.call(as, 'POST', `/api/operator/withdrawals/${id}/claim`);
    return helpers.call(as, 'POST', `/api/operator/withdrawals/${id}/approve`, { status: 'REVIEW' });
  };
  const undo = (id: string) => helpers.call(finance, 'POST', '/api/operator/withdrawals/undo', { ids: [id] });
  await env.set('desk.undoSeconds', 30);
  const undone = [await waiting(), await waiting()];
  for (const id of undone) {
    expect((await approve(finance, id)).status).toBe(200);
    expect((await undo(id)).body.results).toMatchObject([{ id, state: 'REVIEW' }]);
  }
  // The same on the same day adds nothing.
  expect((await approve(finance, undone[0]!)).status).toBe(200);
  await undo(undone[0]!);
  clock.push(DAY_MS + 1000);
  const later = await helpers.operator('finance');
  await env.owner.query('update operator_session set operator_id = $2 where operator_id = $1', [
    later.id,
    finance.id,
  ]);
  for (let paid = 0; paid < 2; paid++) expect((await approve(later, await waiting())).status).toBe(200);
  expect((await approve(later, undone[0]!)).body.message).toBe('OPERATOR_LIMIT');
});

test('limits left out: payouts sent again and returned without a bank transaction count too', async () => {
  const finance = await helpers.operator('finance');
  const fresh = [await helpers.operator('admin'), await helpers.operator('admin')];
  const requested = await helpers.call(fresh[0]!, 'PUT', `/api/operator/operators/${finance.name}/limits`, {
    limits: [limit('pay', 100, null), limit('credit', 100, null)],
    ...REASON,
  });
  await helpers.call(fresh[1]!, 'POST', `/api/operator/approvals/${requested.body.approval}/approve`, {});
  await env.control('settings', { payoutMode: 'manual' });
  const sent = async (end: 'PAID' | 'REJECTED') => {
    const member = await env.member({ amountMinor: 50_000n });
    const made = await env.call('POST', '/api/wallet/withdraw', { amount: 500 }, { token: member.token });
    await env.app.runJob('withdrawals.pay');
    await env.control('payout', { reference: made.body.id, state: end });
    await env.app.runJob('withdrawals.ask', { id: made.body.id });
    return { member, path: `/api/operator/withdrawals/${made.body.id}` };
  };
  const refused = await sent('REJECTED');
  const retry = await helpers.call(finance, 'POST', `${refused.path}/retry`, { status: 'FAILED' });
  expect(retry.body.message).toBe('OPERATOR_LIMIT');
  expect(await env.balance(refused.member)).toBe(50_000n);
  const paid = await sent('PAID');
  await env.set('desk.makerChecker', false);
  const back = await helpers.call(finance, 'POST', `${paid.path}/return`, { proof: 'R-1', ...REASON });
  await env.set('desk.makerChecker', true);
  expect(back.body.message).toBe('OPERATOR_LIMIT');
  expect(await env.balance(paid.member)).toBe(0n);
});

test.each([
  ['parts of a satang', [limit('pay', 0.001, null)]],
  ['one limit twice', [limit('pay', 1, null), limit('pay', 2, null)]],
])('%s is refused', async (_what, limits) => {
  const body = { permissions: ['today.read'], limits, ...REASON };
  const awake = await helpers.operator('admin');
  expect((await helpers.call(awake, 'PUT', '/api/operator/roles/odd', body)).status).toBe(400);
});

import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const lead = await operators.operator('finance-lead');

/** A request of a new operator for more than one person may give. */
async function requested(): Promise<{
  maker: TestOperator;
  approval: string;
  balance: () => Promise<bigint>;
}> {
  const maker = await operators.operator('finance');
  const member = await env.member();
  const body = {
    direction: 'credit',
    amount: 1500,
    category: 'goodwill',
    reason: 'late payout',
    key: `key-of-${maker.name}`,
  };
  const response = await operators.call(maker, 'POST', `/api/operator/members/${member.id}/entries`, body);
  expect(response).toMatchObject({ status: 200, body: { approval: expect.any(String) } });
  return { maker, approval: response.body.approval, balance: () => env.balance(member) };
}
const approve = (approval: string) =>
  operators.call(lead, 'POST', `/api/operator/approvals/${approval}/approve`, {});
const shown = async (approval: string) =>
  (await operators.call(lead, 'GET', '/api/operator/approvals?limit=100')).body.approvals.find(
    (one: { id: string }) => one.id === approval,
  );
const lapsed = {
  status: 409,
  body: { message: 'APPROVAL_LAPSED', data: { state: 'LAPSED', because: 'MAKER' } },
};

test.each([
  [
    'is suspended',
    (name: string) => env.owner.query("update operator set status = 'SUSPENDED' where name = $1", [name]),
  ],
  [
    'has another role, which may not make it',
    (name: string) => env.owner.query("update operator set role = 'support' where name = $1", [name]),
  ],
])('a request lapses when its maker %s', async (_what, change) => {
  const { maker, approval, balance } = await requested();
  await change(maker.name);
  expect(await approve(approval)).toMatchObject(lapsed);
  expect(await balance()).toBe(0n);
  expect(await shown(approval)).toMatchObject({ state: 'LAPSED', lapsedBecause: 'MAKER', mayCheck: false });
  // For good: what was taken away and given back makes no old request count.
  await env.owner.query("update operator set status = 'ACTIVE', role = 'finance' where name = $1", [
    maker.name,
  ]);
  expect(await approve(approval)).toMatchObject(lapsed);
});

test('a request lapses when its maker’s role loses what making it needs, by the minute too', async () => {
  const { approval, balance } = await requested();
  const take =
    "update operator_role set permissions = array_remove(permissions, 'entry.make') where code = 'finance'";
  await env.owner.query(take);
  await env.app.runJob('approvals.lapse');
  const { rows } = await env.owner.query('select state, lapsed_because from approval where id = $1', [
    approval,
  ]);
  expect(rows).toEqual([{ state: 'LAPSED', lapsed_because: 'MAKER' }]);
  await env.owner.query(
    "update operator_role set permissions = permissions || array['entry.make'] where code = 'finance'",
  );
  expect(await balance()).toBe(0n);
});

test('a right of another kind: a request about a setting lapses when its maker may change others only', async () => {
  const [maker, second] = [await operators.operator('admin'), await operators.operator('admin')];
  const put = (path: string, body: object) => operators.call(maker, 'PUT', `/api/operator/${path}`, body);
  const reason = 'busy weeks';
  const [entries, invites] = await Promise.all([
    put('settings/desk.entryMax', { value: { BAHT: 90_000, LAK: 700_000 }, version: 0, reason }),
    put('settings/invite.percent', { value: 6, version: 0, reason }),
  ]);
  await env.owner.query("update operator set role = 'marketing' where name = $1", [maker.name]);
  const agree = (id: string) => operators.call(second, 'POST', `/api/operator/approvals/${id}/approve`, {});
  const withdraw = (id: string) =>
    operators.call(maker, 'POST', `/api/operator/approvals/${id}/withdraw`, {});
  expect(await agree(entries.body.approval)).toMatchObject(lapsed);
  expect((await withdraw(entries.body.approval)).status).toBe(403);
  expect((await agree(invites.body.approval)).status).toBe(200);
});

test('a request whose maker stays active is carried out, and an expired one is refused', async () => {
  const [one, other] = [await requested(), await requested()];
  expect(await approve(one.approval)).toMatchObject({ status: 200 });
  expect(await one.balance()).toBe(150_000n);
  await env.owner.query('update approval set lapses_at = made_at where id = $1', [other.approval]);
  expect(await approve(other.approval)).toMatchObject({ status: 409, body: { data: { because: 'TIME' } } });
  expect(await shown(other.approval)).toMatchObject({ state: 'LAPSED', lapsedBecause: 'TIME' });
});

const read = (as: TestOperator, approval: string) =>
  operators.call(as, 'GET', `/api/operator/approvals/${approval}/thread`);

test('maker and checker write to each other about a request until it is decided; the trail keeps it', async () => {
  const { maker, approval } = await requested();
  const path = `/api/operator/approvals/${approval}/comments`;
  expect((await operators.call(lead, 'POST', path, { text: 'Which document?' })).status).toBe(200);
  expect((await operators.call(maker, 'POST', path, { text: 'The slip of Monday' })).status).toBe(200);
  const support = await operators.operator('support');
  expect((await operators.call(support, 'POST', path, { text: 'Seen' })).status).toBe(403);
  expect((await read(lead, approval)).body).toMatchObject({
    current: null,
    changed: false,
    comments: [
      { by: lead.name, mine: true, text: 'Which document?' },
      { by: maker.name, mine: false, text: 'The slip of Monday' },
    ],
  });
  const { subject } = await shown(approval);
  expect((await operators.audit(subject)).at(-1)).toMatchObject({
    action: 'approval.comment',
    after: { approval, text: 'The slip of Monday' },
  });
  await approve(approval);
  expect(await operators.call(lead, 'POST', path, { text: 'too late' })).toMatchObject({ status: 409 });
});

test('the current values are shown beside a request, marked when they differ from what the maker saw', async () => {
  const [admin, second] = [await operators.operator('admin'), await operators.operator('admin')];
  const path = '/api/operator/settings/desk.withdrawalMax';
  const body = { value: { BAHT: 30_000, LAK: 20_000 }, version: 0, reason: 'busy weeks' };
  const { approval } = (await operators.call(admin, 'PUT', path, body)).body;
  const { summary } = await shown(approval);
  expect((await read(second, approval)).body).toMatchObject({
    current: { from: summary.from },
    changed: false,
  });
  await env.set('desk.withdrawalMax', { BAHT: 25_000, LAK: 20_000 });
  expect((await read(second, approval)).body).toMatchObject({
    current: { from: expect.stringContaining('25000') },
    changed: true,
  });
  expect((await read(second, 'AP0')).status).toBe(404);
});

test('requests are found by kind and amount, and many are decided at once, each for itself', async () => {
  const [one, two, three] = [await requested(), await requested(), await requested()];
  const list = async (query: string) =>
    (
      await operators.call(lead, 'GET', `/api/operator/approvals?state=PENDING&limit=100&${query}`)
    ).body.approvals.map(({ id }: { id: string }) => id);
  const { action } = await shown(one.approval);
  expect((await operators.call(lead, 'GET', '/api/operator/approval-kinds')).body.kinds).toContain(action);
  expect(await list(`action=${action}&amountMin=1500&amountMax=1500`)).toEqual(
    expect.arrayContaining([one.approval, two.approval]),
  );
  expect(await list('amountMin=1501')).not.toContain(one.approval);
  expect(await list('action=role.change')).not.toContain(one.approval);
  expect(await list(`action=role.change,${action}`)).toContain(one.approval);
  expect(await list(`action=!${action}`)).not.toContain(one.approval);
  const states = async (query: string) =>
    (await operators.call(lead, 'GET', `/api/operator/approvals?limit=100&${query}`)).body.approvals.map(
      ({ state }: { state: string }) => state,
    );
  expect(await states('state=PENDING,APPROVED')).toContain('PENDING');
  expect(await states('state=!PENDING')).not.toContain('PENDING');
  const decide = async (what: string, body: object) =>
    (await operators.call(lead, 'POST', `/api/operator/approvals/${what}`, body)).body.results;
  const no = { note: 'no document' };
  expect(await decide('refuse', { ids: [two.approval], ...no })).toMatchObject([{ state: 'REFUSED' }]);
  expect(await decide('approve', { ids: [one.approval, two.approval, three.approval] })).toMatchObject([
    { id: one.approval, refusal: null },
    { id: two.approval, refusal: 'APPROVAL_LAPSED' },
    { id: three.approval, refusal: null },
  ]);
  expect([await one.balance(), await two.balance(), await three.balance()]).toEqual([150_000n, 0n, 150_000n]);
});

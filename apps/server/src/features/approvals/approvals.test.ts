import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const lead = await operators.operator('finance-lead');

/** A request of a new operator for more than one person may give. */
async function asked(): Promise<{ maker: TestOperator; approval: string; balance: () => Promise<bigint> }> {
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
  const { maker, approval, balance } = await asked();
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
  const { approval, balance } = await asked();
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

test('a request whose maker stays is carried out, and one whose time is over says so', async () => {
  const [one, other] = [await asked(), await asked()];
  expect(await approve(one.approval)).toMatchObject({ status: 200 });
  expect(await one.balance()).toBe(150_000n);
  await env.owner.query('update approval set lapses_at = made_at where id = $1', [other.approval]);
  expect(await approve(other.approval)).toMatchObject({ status: 409, body: { data: { because: 'TIME' } } });
  expect(await shown(other.approval)).toMatchObject({ state: 'LAPSED', lapsedBecause: 'TIME' });
});

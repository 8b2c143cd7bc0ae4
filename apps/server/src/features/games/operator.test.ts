import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { TRANSFER_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [maker, lead] = await Promise.all(['finance', 'finance-lead'].map((role) => operators.operator(role)));

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** A transfer into a game whose provider does not answer. */
async function unknown(kind: 'cut-after' | 'outage'): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: 50_000n });
  await env.call('GET', '/api/wallet/activate/betflix', undefined, { token: member.token });
  await env.fault({ party: 'game-f', kind });
  const moved = await env.call(
    'POST',
    '/api/wallet/transfer',
    { from: 'wallet', to: 'betflix', amount: 100 },
    { token: member.token },
  );
  await env.control('faults', { clear: true });
  expect(moved.body.status).toBe('PENDING');
  return { id: moved.body.id, member };
}
const stateOf = async (id: string) =>
  (await env.owner.query('select state from provider_transfer where id = $1', [id])).rows[0].state;

test('an unknown transfer is settled on evidence by two, and its money is in one place', async () => {
  for (const [outcome, left] of [
    ['DONE', 40_000n],
    ['FAILED', 50_000n],
  ] as const) {
    const { id, member } = await unknown('outage');
    const path = `/api/operator/transfers/${id}`;
    const list = await operators.call(maker!, 'GET', `/api/operator/transfers?state=OPEN&q=${id}`);
    expect(list.body.transfers).toMatchObject([{ id, state: 'UNKNOWN', amount: 100, credits: 100 }]);
    expect((await operators.call(maker!, 'POST', `${path}/settle`, { outcome })).status).toBe(400);
    const requested = await operators.call(maker!, 'POST', `${path}/settle`, {
      outcome,
      evidence: 'mail of their desk',
    });
    const approve = `/api/operator/approvals/${requested.body.approval}/approve`;
    expect((await operators.call(maker!, 'POST', approve, {})).status).toBe(403);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => operators.call(lead!, 'POST', approve, {})),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await stateOf(id), await env.balance(member)]).toEqual([outcome, left]);
    expect((await operators.audit(`transfer:${id}`)).map((row) => row.action)).toEqual([
      'approval.request',
      'transfer.settle',
    ]);
    expect(await operators.call(maker!, 'POST', `${path}/ask`)).toMatchObject({
      status: 409,
      body: { data: { state: outcome } },
    });
  }
});

test('a request to settle a transfer lapses when the provider answers', async () => {
  const { id } = await unknown('cut-after');
  const { body } = await operators.call(maker!, 'POST', `/api/operator/transfers/${id}/settle`, {
    outcome: 'FAILED',
    evidence: 'confirmed by the provider',
  });
  await env.app.runJob('transfers.resolve', { id });
  expect(await stateOf(id)).toBe('DONE');
  const { rows } = await env.pool.query('select state from approval where id = $1', [body.approval]);
  expect(rows).toEqual([{ state: 'LAPSED' }]);
});

test('the provider’s own late answer and the checker’s yes book one end', async () => {
  const { id } = await unknown('cut-after');
  const requested = await operators.call(maker!, 'POST', `/api/operator/transfers/${id}/settle`, {
    outcome: 'FAILED',
    evidence: 'confirmed by the provider',
  });
  expect((await operators.call(maker!, 'POST', `/api/operator/transfers/${id}/ask`)).status).toBe(200);
  const [approved] = await Promise.all([
    operators.call(lead!, 'POST', `/api/operator/approvals/${requested.body.approval}/approve`, {}),
    env.app.runJob('transfers.resolve', { id }),
  ]);
  expect(await stateOf(id)).toBe(approved.status === 200 ? 'FAILED' : 'DONE');
});

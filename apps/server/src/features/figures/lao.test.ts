import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { laoMembers } from '../registration/testing-lao.ts';

const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
const operators = operatorHelpers(env);
const laoMember = laoMembers(env);

test('a decision of an operator with manual entries in two currencies counts once over the rows', async () => {
  const [som, lead] = [await operators.operator('finance'), await operators.operator('finance-lead')];
  const perform = async (path: string, body: object = {}) => {
    const { status } = await operators.call(som, 'POST', `/api/operator/${path}`, body);
    expect([path, status]).toEqual([path, 200]);
  };
  const [baht, kip] = [await env.member({ amountMinor: 300_000n }), await laoMember()];
  const entry = { category: 'goodwill', reason: 'late payout', direction: 'credit' };
  await perform(`members/${baht.id}/entries`, { ...entry, amount: 40, key: 'entry-key-1' });
  await perform(`members/${kip.id}/entries`, { ...entry, amount: 5_000, key: 'entry-key-2' });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 2_500 }, { token: baht.token });
  await perform(`withdrawals/${body.id}/claim`);
  await perform(`withdrawals/${body.id}/reject`, { status: 'REVIEW', reason: 'another name' });
  const { rows } = (await operators.call(lead, 'GET', '/api/operator/figures/agents')).body;
  expect(rows.filter((row: { operator: string }) => row.operator === som.name)).toMatchObject([
    { currency: 'BAHT', withdrawals: 1, waited: expect.any(Number), entries: 40 },
    { currency: 'LAK', withdrawals: 0, waited: null, entries: 5_000 },
  ]);
});

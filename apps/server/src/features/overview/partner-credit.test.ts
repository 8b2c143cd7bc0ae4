import { beforeEach, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const support = await operators.operator('support');

type Credit = { partner: string; agent: string; credit: number; isLow: boolean; readAt: string };

const readJob = () => env.app.runJob('partners.credit');
const credits = async (): Promise<Credit[]> =>
  (await operators.call(support, 'GET', '/api/operator/partners')).body.credits;
const creditOf = async (agent: string) => (await credits()).find((one) => one.agent === agent)!;
const openAlerts = async (): Promise<string[]> => {
  const sql =
    "select subject || ' ' || detail as alert from alert where kind = 'credit-low' and closed_at is null";
  return (await env.owner.query(sql)).rows.map(({ alert }) => alert);
};

beforeEach(async () => {
  await env.control('settings', { smsCredit: 9_000, agentCredit: { agent: 'betflix', amount: '50000.25' } });
  await readJob();
});

test('what is left at agents and at the SMS gateway is read and shown', async () => {
  expect(await creditOf('betflix')).toMatchObject({ partner: 'game-f', credit: 50_000.25, isLow: false });
  expect(await creditOf('')).toMatchObject({ partner: 'sms', credit: 9_000, isLow: false });
  expect(await openAlerts()).toEqual([]);
});

test('below the settings an alert opens, which follows the figure and ends with its cause', async () => {
  await env.control('settings', { smsCredit: 499, agentCredit: { agent: 'betflix', amount: '9999.99' } });
  await readJob();
  expect(await creditOf('betflix')).toMatchObject({ credit: 9_999.99, isLow: true });
  expect((await openAlerts()).toSorted()).toEqual(['partner:game-f:betflix 9999.99', 'partner:sms 499']);
  await env.control('settings', { smsCredit: 10 });
  await readJob();
  expect((await openAlerts()).toSorted()).toEqual(['partner:game-f:betflix 9999.99', 'partner:sms 10']);
  await env.set('game.creditAlert', 0);
  await env.control('settings', { smsCredit: 500 });
  await readJob();
  expect(await openAlerts()).toEqual([]);
  await env.set('game.creditAlert', 10_000);
});

test('a partner that does not answer keeps its last figure with its time, and delays no other', async () => {
  const before = await creditOf('betflix');
  clock.push(60_000);
  await env.fault({ party: 'game-f', call: 'agent-balance', agent: 'betflix', kind: 'cut-before', count: 1 });
  await env.control('settings', { smsCredit: 8_000 });
  await readJob();
  expect(await creditOf('betflix')).toEqual(before);
  const others = (await credits()).filter(({ agent }) => agent !== 'betflix');
  expect(others.length).toBeGreaterThan(1);
  for (const { readAt } of others) expect(readAt > before.readAt).toBe(true);
  expect(await creditOf('')).toMatchObject({ credit: 8_000 });
});

test('the credit of an agent whose games are closed is forgotten, and its alert ends', async () => {
  await env.control('settings', { agentCredit: { agent: 'betflix', amount: '1.00' } });
  await readJob();
  expect(await openAlerts()).toEqual(['partner:game-f:betflix 1.00']);
  await env.owner.query("update slot set is_open = false where agent = 'betflix'");
  await readJob();
  expect(await creditOf('betflix')).toBeUndefined();
  expect(await openAlerts()).toEqual([]);
  await env.owner.query("update slot set is_open = true where agent = 'betflix'");
});

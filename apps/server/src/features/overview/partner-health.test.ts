import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { partnerCalls } from '../../outside/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const support = await operators.operator('support');

const read = async () => {
  await env.app.flushPartnerCounts();
  const { status, body } = await operators.call(support, 'GET', '/api/operator/partners');
  expect([status, body]).toEqual([200, body]);
  return body;
};
const countsOf = async (partner: string) =>
  (await read()).partners.find((row: { partner: string }) => row.partner === partner);
const callBank = () =>
  env.app.deps.qrMakers[0]!.statement({ from: new Date(clock.now().getTime() - HOUR_MS), to: clock.now() });

test('calls are counted with how long they took; a broken answer counts as failed', async () => {
  await callBank();
  const before = await countsOf('bank');
  expect(before).toMatchObject({ failed: 0, lastFailedAt: null, averageMs: expect.any(Number) });
  expect(before.slowestMs).toBeGreaterThanOrEqual(before.averageMs);
  await env.fault({ party: 'bank-a', call: 'statement', kind: 'cut-before', count: 1 });
  expect((await callBank()).outcome).toBe('unknown');
  const after = await countsOf('bank');
  expect([after.calls > before.calls, after.failed, after.lastFailedAt !== null]).toEqual([true, 1, true]);
});

test('rounding: the average is never above the slowest', async () => {
  for (const tookMs of [3.4, 3.49])
    partnerCalls.publish({ url: env.app.deps.config.SMS_URL, tookMs, isFine: true });
  const { averageMs, slowestMs } = await countsOf('sms');
  expect(slowestMs).toBeGreaterThanOrEqual(averageMs);
});

test('counts are added to what another server wrote for the same minute', async () => {
  const { calls } = await countsOf('bank');
  await env.owner.query(
    'update partner_minute set calls = calls + 5 where partner = $1 and minute = (select max(minute) from partner_minute where partner = $1)',
    ['bank'],
  );
  await callBank();
  expect((await countsOf('bank')).calls).toBe(calls + 6);
});

test('a watched account is silent once its feed has not answered for longer than the setting', async () => {
  await env.app.runJob('feeds.read');
  const silent = async () => (await read()).feeds.map(({ isSilent }: { isSilent: boolean }) => isSilent);
  const before = await silent();
  expect(before.length).toBeGreaterThan(0);
  expect(before).not.toContain(true);
  expect((await read()).feeds[0].accountNo).toMatch(/^••\d{4}$/);
  clock.push(env.app.deps.settings.get('unknown.alertMinutes') * MINUTE_MS + MINUTE_MS);
  expect(await silent()).not.toContain(false);
});

test('only the last hour counts, and counts of yesterday are forgotten', async () => {
  await env.owner.query("update partner_minute set minute = minute - interval '25 hours'");
  expect((await read()).partners).toEqual([]);
  await env.app.runJob('partners.forget');
  expect((await env.owner.query('select 1 from partner_minute')).rows).toEqual([]);
});

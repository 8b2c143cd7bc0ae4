import { expect, test } from 'vitest';
import { inTransaction } from '../../platform/transaction.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { checkFence, PAYOUTS, resumePayouts } from './fence.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
const { deps } = env.app;

async function withdraw(member: TestMember): Promise<string> {
  const response = await env.call('POST', '/api/wallet/withdraw', { amount: 100 }, { token: member.token });
  expect(response.status).toBe(200);
  return response.body.id;
}
async function statusOf(id: string): Promise<string> {
  const { rows } = await env.pool.query('select status from withdrawal where id = $1', [id]);
  return rows[0].status;
}
async function ordersOf(reference: string): Promise<number> {
  const books = await env.control('books');
  return books.payouts.filter((payout: { reference: string }) => payout.reference === reference).length;
}
async function openAlerts(): Promise<number> {
  const { rows } = await env.pool.query(
    "select count(*)::int from alert where kind = 'payouts-paused' and subject = $1 and closed_at is null",
    [PAYOUTS],
  );
  return rows[0].count;
}
const placeIs = (place: string) => env.pool.query(`update payout_fence set place = ${place}`);
const FORMER_TIMELINE = "split_part(payout_place(), ':', 1) || ':FFFFFFFF'";

test('payouts wait, with one alert, after another server of the database has taken over, until an operator resumes', async () => {
  const member = await env.member({ amountMinor: 1_000_000n });
  await env.app.runJob('withdrawals.sweep');
  const before = await withdraw(member);
  await env.app.runJob('withdrawals.pay');
  expect(await ordersOf(before)).toBe(1);
  expect(await openAlerts()).toBe(0);

  await placeIs(FORMER_TIMELINE);
  const waiting = await withdraw(member);
  for (let time = 0; time < 2; time++) await env.app.runJob('withdrawals.sweep');
  expect([await statusOf(waiting), await ordersOf(waiting), await openAlerts()]).toEqual(['QUEUED', 0, 1]);

  // Several operators at once: one of them resumes.
  const resume = () => inTransaction(env.pool, (tx) => resumePayouts(tx, deps.clock.now()));
  const done = await Promise.all(Array.from({ length: 4 }, resume));
  expect(done.filter(Boolean)).toHaveLength(1);
  await Promise.all(Array.from({ length: 4 }, () => env.app.runJob('withdrawals.pay')));
  expect([await ordersOf(waiting), await openAlerts()]).toEqual([1, 0]);
});

test('a takeover by a standby that has every commit is accepted; a restored backup is not', async () => {
  const required = { ...deps, config: { ...deps.config, DATABASE_STANDBY: 'required' } };
  await placeIs(FORMER_TIMELINE);
  await checkFence(required);
  expect(await openAlerts()).toBe(0);
  await placeIs("'restored'");
  await checkFence(required);
  expect(await openAlerts()).toBe(1);
});

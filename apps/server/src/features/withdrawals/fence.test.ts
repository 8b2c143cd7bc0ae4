import { afterEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../platform/transaction.ts';
import { holdQuery } from '../../testing/hold.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { createFence, PAYOUTS, resumePayouts } from './fence.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
const { deps } = env.app;
const { rows: timelines } = await env.pool.query('select database_timeline() as timeline');
const present: string = timelines[0].timeline;

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
const timelineIs = (timeline: string) => env.pool.query(`update payout_fence set timeline = ${timeline}`);
const FORMER_TIMELINE = "split_part(database_timeline(), ':', 1) || ':FFFFFFFF'";

test('payouts wait, with one alert, after another server of the database has taken over, until an operator resumes', async () => {
  const member = await env.member({ amountMinor: 1_000_000n });
  await env.app.runJob('withdrawals.sweep');
  const before = await withdraw(member);
  await env.app.runJob('withdrawals.pay');
  expect(await ordersOf(before)).toBe(1);
  expect(await openAlerts()).toBe(0);

  await timelineIs(FORMER_TIMELINE);
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

describe('with a required standby', () => {
  const required = { ...deps, config: { ...deps.config, DATABASE_STANDBY: 'required' } };
  const former = `${present.split(':')[0]}:FFFFFFFF`;
  const databaseIs = (timeline: string, isReplicated = true) =>
    env.owner.query(
      `create or replace function database_timeline() returns text language sql stable as $$ select '${timeline}' $$;
       create or replace function commits_are_replicated() returns boolean language sql stable as $$ select ${isReplicated} $$`,
    );
  /** A process that has seen payouts allowed on the former timeline. */
  async function processOnFormer(isReplicated = true): Promise<() => Promise<void>> {
    await databaseIs(former, isReplicated);
    await timelineIs(`'${former}'`);
    const check = createFence(required);
    await check();
    return check;
  }
  const areOpen = async (): Promise<boolean> =>
    (await env.pool.query('select payouts_are_open() as open')).rows[0].open;
  afterEach(async () => {
    await databaseIs(present);
    await timelineIs('database_timeline()');
    await inTransaction(env.pool, (tx) => resumePayouts(tx, deps.clock.now()));
  });

  test('a takeover that a process has lived through is accepted', async () => {
    const check = await processOnFormer();
    await databaseIs(present);
    await check();
    expect(await openAlerts()).toBe(0);
  });

  test('ends the alert that a process started since had opened', async () => {
    const check = await processOnFormer();
    await databaseIs(present);
    await createFence(required)();
    expect([await areOpen(), await openAlerts()]).toEqual([false, 1]);
    await check();
    expect([await areOpen(), await openAlerts()]).toEqual([true, 0]);
  });

  test('an alert that comes after the takeover was accepted is not opened', async () => {
    const check = await processOnFormer();
    await databaseIs(present);
    const alert = holdQuery(deps.pool, 'alert_open');
    const late = createFence(required)();
    await alert.held;
    await check();
    alert.release();
    await late;
    expect([await areOpen(), await openAlerts()]).toEqual([true, 0]);
  });

  test('a timeline that began while no process ran is not accepted', async () => {
    await processOnFormer();
    await databaseIs(present);
    await createFence(required)();
    expect(await openAlerts()).toBe(1);
  });

  test('a database restored to an earlier time is not accepted, however often it is checked', async () => {
    const check = await processOnFormer();
    const { rows } = await env.owner.query('select checks from payout_fence');
    await check();
    // What the restored database has: the row as it was before the last check.
    await env.owner.query('update payout_fence set checks = $1', [rows[0].checks]);
    await databaseIs(present);
    for (let time = 0; time < 3; time++) {
      await check();
      expect([await areOpen(), await openAlerts()]).toEqual([false, 1]);
    }
  });

  test('a takeover after commits that waited for no standby is not accepted', async () => {
    const check = await processOnFormer(false);
    await databaseIs(present);
    await check();
    expect([await areOpen(), await openAlerts()]).toEqual([false, 1]);
  });

  test('a restored backup is not accepted', async () => {
    const check = await processOnFormer();
    await timelineIs("'restored'");
    await check();
    expect(await openAlerts()).toBe(1);
  });
});

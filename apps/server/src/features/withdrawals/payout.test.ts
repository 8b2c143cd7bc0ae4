import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdQuery } from '../../testing/hold.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('withdraw.oneOpen', false);
await env.control('settings', { payoutMode: 'manual' });

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const pay = () => env.app.runJob('withdrawals.pay');
const checkStatus = (id: string) => env.app.runJob('withdrawals.ask', { id });

async function withdraw(member: TestMember, amount: number): Promise<string> {
  const response = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  expect(response).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  return response.body.id;
}
async function states(id: string): Promise<string[]> {
  const { rows } = await env.pool.query(
    'select w.status as w, s.status as s from withdrawal w join statement s on s.id = w.id where w.id = $1',
    [id],
  );
  return [rows[0].w, rows[0].s];
}
const settle = (reference: string, state: 'PAID' | 'REJECTED', reason?: string) =>
  env.control('payout', { reference, state, ...(reason ? { reason } : {}) });
async function payouts(reference: string) {
  const books = await env.control('books');
  return books.payouts.filter((payout: { reference: string }) => payout.reference === reference);
}

describe('paid automatically', () => {
  test('is what is small: 2,000.00 is, a satang more waits for an operator', async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    expect(await states(await withdraw(member, 2000))).toEqual(['QUEUED', 'PENDING']);
    expect(await states(await withdraw(member, 2000.01))).toEqual(['REVIEW', 'PENDING']);
  });

  test('is at most 10,000.00 in 24 hours, and refused ones do not count', async () => {
    const member = await env.member({ amountMinor: 3_000_000n });
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) ids.push(await withdraw(member, 2000));
    expect(await Promise.all(ids.map(async (id) => (await states(id))[0]))).toEqual(Array(5).fill('QUEUED'));
    expect((await states(await withdraw(member, 100)))[0]).toBe('REVIEW');
    await env.fault({ party: 'bank-a', call: 'payout', member: member.accountNo, kind: 'refuse', count: 1 });
    await pay();
    expect((await Promise.all(ids.map(states))).filter(([status]) => status === 'FAILED')).toHaveLength(1);
    expect((await states(await withdraw(member, 2000)))[0]).toBe('QUEUED');
    expect((await states(await withdraw(member, 100)))[0]).toBe('REVIEW');
    await env.owner.query("update session set expires_at = expires_at + interval '2 days'");
    await pass(env, clock, 24 * HOUR_MS);
    expect((await states(await withdraw(member, 2000)))[0]).toBe('QUEUED');
  });

  test('holds for parallel ones too', async () => {
    const member = await env.member({ amountMinor: 3_000_000n });
    const ids = await Promise.all(Array.from({ length: 12 }, () => withdraw(member, 1500)));
    const queued = (await Promise.all(ids.map(states))).filter(([status]) => status === 'QUEUED');
    expect(queued).toHaveLength(6);
  });

  test('only what is queued: a reviewed one is not sent to the bank', async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    const id = await withdraw(member, 5000);
    await pay();
    expect([await states(id), await payouts(id)]).toEqual([['REVIEW', 'PENDING'], []]);
  });
});

describe('the bank', () => {
  test('gets the order once, to the registered account, however many workers pay', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await Promise.all(Array.from({ length: 5 }, pay));
    expect(await states(id)).toEqual(['PROCESSING', 'PROCESSING']);
    expect(await payouts(id)).toMatchObject([
      {
        amount: '500.00',
        bankCode: 'KBANK',
        accountNo: member.accountNo,
        accountName: 'ทดสอบ ระบบ',
        state: 'ACCEPTED',
      },
    ]);
  });

  test('accepts, then pays: the held money is gone and the row SUCCESS', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await pay();
    await checkStatus(id);
    expect(await states(id)).toEqual(['PROCESSING', 'PROCESSING']);
    await settle(id, 'PAID');
    await Promise.all([checkStatus(id), checkStatus(id), checkStatus(id)]);
    expect([await states(id), await env.balance(member)]).toEqual([['SUCCESS', 'SUCCESS'], 50_000n]);
  });

  test('accepts, then rejects: the money is back in the same transaction, with the reason stored', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await pay();
    await settle(id, 'REJECTED', 'INVALID_ACCOUNT');
    await Promise.all([checkStatus(id), checkStatus(id), checkStatus(id)]);
    expect([await states(id), await env.balance(member)]).toEqual([['FAILED', 'FAILED'], 100_000n]);
    const { rows } = await env.pool.query('select reason from withdrawal where id = $1', [id]);
    expect(rows[0].reason).toBe('INVALID_ACCOUNT');
    await checkStatus(id);
    await pay();
    expect(await payouts(id)).toHaveLength(1);
  });

  test.each(['outage', '500', '429', 'cut-before', 'cut-after', 'malformed', 'refuse', 'wrong-amount'])(
    'in trouble (%s) at the query is queried again, and no outcome is assumed',
    async (kind) => {
      const member = await env.member({ amountMinor: 100_000n });
      const id = await withdraw(member, 500);
      await pay();
      await settle(id, 'PAID');
      await env.fault({ party: 'bank-a', call: 'payout-status', reference: id, kind, count: 1 });
      await checkStatus(id);
      expect([await states(id), await env.balance(member)]).toEqual([['PROCESSING', 'PROCESSING'], 50_000n]);
      await checkStatus(id);
      expect(await states(id)).toEqual(['SUCCESS', 'SUCCESS']);
    },
  );

  test.each([
    ['cut-before', 0],
    ['cut-after', 1],
    ['outage', 0],
    ['malformed', 1],
    ['wrong-amount', 1],
  ])('in trouble (%s) when ordered is paid once in the end', async (kind, seen) => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await env.fault({ party: 'bank-a', call: 'payout', member: member.accountNo, kind, count: 1 });
    await pay();
    expect([await states(id), (await payouts(id)).length]).toEqual([['PROCESSING', 'PROCESSING'], seen]);
    // "Never seen" is believed only after a grace; then the order goes out again under the same reference.
    await checkStatus(id);
    expect((await payouts(id)).length).toBe(seen);
    await env.owner.query(
      "update payout set touched_at = now() - interval '1 minute', ordered_at = now() - interval '1 minute' where withdrawal_id = $1",
      [id],
    );
    await checkStatus(id);
    await settle(id, 'PAID');
    await checkStatus(id);
    expect([await states(id), await env.balance(member), (await payouts(id)).length]).toEqual([
      ['SUCCESS', 'SUCCESS'],
      50_000n,
      1,
    ]);
  });

  test('without a response for fifteen minutes alerts operators once', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await env.fault({
      party: 'bank-a',
      call: 'payout',
      member: member.accountNo,
      kind: 'cut-after',
      count: 1,
    });
    await env.fault({ party: 'bank-a', call: 'payout-status', reference: id, kind: 'outage' });
    await pay();
    const alerts = async () =>
      (await env.pool.query('select kind from alert where subject = $1', [`withdrawal:${id}`])).rows;
    await checkStatus(id);
    expect(await alerts()).toEqual([]);
    await env.owner.query(
      "update payout set touched_at = now() - interval '16 minutes' where withdrawal_id = $1",
      [id],
    );
    await checkStatus(id);
    await checkStatus(id);
    expect(await alerts()).toEqual([{ kind: 'payout-unknown' }]);
    expect(await env.balance(member)).toBe(50_000n);
    await env.control('faults', { clear: true });
    await settle(id, 'PAID');
    await checkStatus(id);
    expect(await states(id)).toEqual(['SUCCESS', 'SUCCESS']);
  });

  test('that is silent leaves no open alert about a payout that was settled meanwhile', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await pay();
    await env.owner.query(
      "update payout set touched_at = now() - interval '16 minutes' where withdrawal_id = $1",
      [id],
    );
    await env.fault({ party: 'bank-a', call: 'payout-status', reference: id, kind: 'outage', count: 1 });
    const alert = holdQuery(env.app.deps.pool, 'alert_open');
    const checking = checkStatus(id);
    await alert.held;
    await settle(id, 'PAID');
    await checkStatus(id);
    expect(await states(id)).toEqual(['SUCCESS', 'SUCCESS']);
    alert.release();
    await checking;
    const { rows } = await env.pool.query(
      "select 1 from alert where kind = 'payout-unknown' and subject = $1 and closed_at is null",
      [`withdrawal:${id}`],
    );
    expect(rows).toEqual([]);
  });

  test('the sweep finds the order of a crashed worker', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const id = await withdraw(member, 500);
    await pay();
    await env.owner.query('delete from graphile_worker._private_jobs');
    await env.owner.query(
      "update payout set state = 'SENT', touched_at = now() - interval '1 minute' where withdrawal_id = $1",
      [id],
    );
    await env.app.runJob('withdrawals.sweep');
    const { rows } = await env.owner.query('select max_attempts from graphile_worker.jobs where key = $1', [
      `withdrawals.ask:${id}`,
    ]);
    expect(rows).toEqual([{ max_attempts: 1 }]);
    await settle(id, 'PAID');
    await checkStatus(id);
    expect(await states(id)).toEqual(['SUCCESS', 'SUCCESS']);
  });
});

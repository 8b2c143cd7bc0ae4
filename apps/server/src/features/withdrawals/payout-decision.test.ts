import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdCall } from '../../testing/hold.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import {
  PAYOUT_DECISIONS,
  PAYOUT_RESPONSES,
  type PayoutDecision,
  type PayoutMoment,
  type PayoutResponse,
} from './payout-decision.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
await env.set('withdraw.playedTimes', 0);
await env.control('settings', { payoutMode: 'manual' });

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const AMOUNT_MINOR = 50_000n;
const FUNDS_MINOR = 100_000n;

interface Case {
  member: TestMember;
  id: string;
}

const pay = () => env.app.runJob('withdrawals.pay');
const checkStatus = ({ id }: Case) => env.app.runJob('withdrawals.ask', { id });

async function queued(): Promise<Case> {
  const member = await env.member({ amountMinor: FUNDS_MINOR });
  const response = await env.call('POST', '/api/wallet/withdraw', { amount: 500 }, { token: member.token });
  return { member, id: response.body.id };
}

const strikeOrder = ({ member }: Case, fault: { kind: string; code?: number }) =>
  env.fault({ party: 'bank-a', call: 'payout', member: member.accountNo, count: 1, ...fault });
const strikeStatus = ({ id }: Case, fault: { kind: string; code?: number }) =>
  env.fault({ party: 'bank-a', call: 'payout-status', reference: id, count: 1, ...fault });

/** Gives the bank the order of this withdrawal, as a call of ours that arrived. */
async function arrive({ member, id }: Case, end?: 'PAID' | 'REJECTED'): Promise<void> {
  await env.app.deps.payoutBank.payout({
    reference: id,
    amountMinor: AMOUNT_MINOR,
    bankCode: 'KBANK',
    accountNo: member.accountNo,
    accountName: 'ทดสอบ ระบบ',
  });
  if (end) await env.control('payout', { reference: id, state: end });
}

const endGrace = ({ id }: Case) =>
  env.owner.query("update payout set ordered_at = now() - interval '1 minute' where withdrawal_id = $1", [
    id,
  ]);

/** Creates an order that has not reached the bank. */
async function lose(one: Case): Promise<void> {
  await strikeOrder(one, { kind: 'cut-before' });
  await pay();
}

/** Repeats the order of a payout that the bank has never seen, struck by a fault. */
async function repeat(one: Case, fault: { kind: string; code?: number }): Promise<void> {
  await lose(one);
  await endGrace(one);
  await strikeOrder(one, fault);
  await checkStatus(one);
}

/** What lets a late first order go on. */
const late = new Map<Case, () => Promise<void>>();

/** How each moment is reached, which call the response belongs to, and what triggers the query. */
const MOMENTS: Record<
  PayoutMoment,
  { call: 'order' | 'status'; reach(one: Case): Promise<unknown>; perform(one: Case): Promise<unknown> }
> = {
  'first order': { call: 'order', reach: async () => undefined, perform: pay },
  'late first order': {
    call: 'order',
    async reach(one) {
      const order = holdCall(env.app.deps.payoutBank, 'payout');
      const paying = pay();
      await order.held;
      await env.owner.query(
        "update payout set touched_at = now() - interval '2 minutes' where withdrawal_id = $1",
        [one.id],
      );
      await strikeOrder(one, { kind: 'cut-before' });
      await checkStatus(one);
      late.set(one, async () => {
        order.release(null);
        await paying;
      });
    },
    perform: (one) => late.get(one)!(),
  },
  'repeated order': {
    call: 'order',
    async reach(one) {
      await lose(one);
      await endGrace(one);
      await strikeStatus(one, { kind: 'refuse', code: 4040 });
    },
    perform: checkStatus,
  },
  'status within the grace': {
    call: 'status',
    async reach(one) {
      await lose(one);
      // The grace must not end while the cell is tested.
      await env.owner.query(
        "update payout set ordered_at = now() + interval '1 minute' where withdrawal_id = $1",
        [one.id],
      );
    },
    perform: checkStatus,
  },
  'status after the grace': {
    call: 'status',
    async reach(one) {
      await lose(one);
      await endGrace(one);
    },
    perform: checkStatus,
  },
  'status after the grace of a refused repeat': {
    call: 'status',
    async reach(one) {
      await repeat(one, { kind: 'refuse', code: 4001 });
      await endGrace(one);
    },
    perform: checkStatus,
  },
  'status after the grace of a duplicate': {
    call: 'status',
    async reach(one) {
      await repeat(one, { kind: 'refuse', code: 4090 });
      await endGrace(one);
    },
    perform: checkStatus,
  },
  'status after release': {
    call: 'status',
    async reach(one) {
      await strikeOrder(one, { kind: 'refuse' });
      await pay();
      await env.owner.query(
        "update payout set watched_since = now() - interval '2 minutes' where withdrawal_id = $1",
        [one.id],
      );
    },
    perform: () => env.app.runJob('withdrawals.watch'),
  },
};

/** What makes the bank give an answer, at its order call or its status call. */
async function prepare(one: Case, call: 'order' | 'status', response: PayoutResponse): Promise<void> {
  const strike = call === 'order' ? strikeOrder : strikeStatus;
  if (response === 'paid') await arrive(one, 'PAID');
  else if (response === 'rejected') await arrive(one, 'REJECTED');
  else if (response === 'accepted') await arrive(one);
  else if (response === 'refused') await strike(one, { kind: 'refuse', code: 4001 });
  else if (response === 'duplicate') await strike(one, { kind: 'refuse', code: 4090 });
  else if (response === 'absent') await strike(one, { kind: 'refuse', code: 4040 });
  else await strike(one, { kind: call === 'order' ? 'malformed' : 'outage' });
}

async function stateOf({ member, id }: Case) {
  const { rows } = await env.pool.query(
    `select w.status, (select count(*)::int from alert a where a.subject = 'withdrawal:' || w.id and a.kind = 'payout-contradicts') as alerts
     from withdrawal w where w.id = $1`,
    [id],
  );
  return { ...rows[0], balance: await env.balance(member) };
}

async function ordersSent({ id }: Case): Promise<number> {
  const { entries } = await env.control(`log?party=bank-a&call=payout&reference=${id}&limit=100`);
  return entries.length;
}

const HELD = { balance: FUNDS_MINOR - AMOUNT_MINOR, alerts: 0 };
const RELEASED = { status: 'FAILED', balance: FUNDS_MINOR };
const EXPECTED: Record<PayoutDecision, object> = {
  pay: { status: 'SUCCESS', ...HELD },
  release: { ...RELEASED, alerts: 0 },
  check: { status: 'PROCESSING', ...HELD },
  order: { status: 'PROCESSING', ...HELD },
  alert: { ...RELEASED, alerts: 1 },
};

describe.each(Object.keys(MOMENTS) as PayoutMoment[])('the answer to a payout at the %s', (moment) => {
  const { call, reach, perform } = MOMENTS[moment];

  test.each(PAYOUT_RESPONSES.map((response) => [response, PAYOUT_DECISIONS[moment][response]] as const))(
    '%s: %s',
    async (response, decision) => {
      const one = await queued();
      await reach(one);
      await prepare(one, call, response);
      const before = await ordersSent(one);
      await perform(one);
      // A released payout without a new response of the bank stays released.
      const isStill = moment === 'status after release' && decision === 'check';
      expect(await stateOf(one)).toEqual(isStill ? EXPECTED.release : EXPECTED[decision]);
      expect((await ordersSent(one)) - before).toBe(call === 'order' || decision === 'order' ? 1 : 0);
    },
  );
});

test('a repeat refused as a duplicate leaves the money held until the late first order is paid', async () => {
  const one = await queued();
  // The first order reaches the bank, which executes it only after our deadline.
  await strikeOrder(one, { kind: 'cut-before' });
  await pay();
  await endGrace(one);
  await strikeOrder(one, { kind: 'refuse', code: 4090 });
  await checkStatus(one);
  await endGrace(one);
  await checkStatus(one);
  expect(await stateOf(one)).toEqual(EXPECTED.check);
  await arrive(one, 'PAID');
  await Promise.all([checkStatus(one), checkStatus(one), checkStatus(one)]);
  expect(await stateOf(one)).toEqual(EXPECTED.pay);
});

test('a payout that the bank executes after its release is reported once, and its watch ends', async () => {
  const one = await queued();
  await MOMENTS['status after release'].reach(one);
  await arrive(one, 'PAID');
  await env.app.runJob('withdrawals.watch');
  await env.owner.query(
    "update payout set watch_asked_at = now() - interval '1 day' where withdrawal_id = $1",
    [one.id],
  );
  await env.app.runJob('withdrawals.watch');
  expect(await stateOf(one)).toEqual(EXPECTED.alert);
  const { rows } = await env.pool.query('select watched_since from payout where withdrawal_id = $1', [
    one.id,
  ]);
  expect(rows).toEqual([{ watched_since: null }]);
});

test('a released payout is queried for unknown.watchDays, then no longer', async () => {
  const one = await queued();
  await MOMENTS['status after release'].reach(one);
  await env.owner.query(
    "update payout set watched_since = now() - interval '4 days' where withdrawal_id = $1",
    [one.id],
  );
  await arrive(one, 'PAID');
  await env.app.runJob('withdrawals.watch');
  expect(await stateOf(one)).toEqual(EXPECTED.release);
});

test('an error whose code is not in the list of refusals proves nothing: the bank may still pay', async () => {
  const one = await queued();
  await strikeOrder(one, { kind: 'refuse', code: 1234 });
  await pay();
  expect(await stateOf(one)).toEqual(EXPECTED.check);
  await arrive(one, 'PAID');
  await checkStatus(one);
  expect(await stateOf(one)).toEqual(EXPECTED.pay);
});

test('a status that is not found without the code of an unseen reference is no proof that the bank never saw it', async () => {
  const one = await queued();
  await strikeOrder(one, { kind: 'cut-after' });
  await pay();
  await endGrace(one);
  const before = await ordersSent(one);
  await strikeStatus(one, { kind: 'refuse', code: 4041 });
  await checkStatus(one);
  expect(await ordersSent(one)).toBe(before);
});

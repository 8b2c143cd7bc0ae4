import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdCall, holdItem, holdQuery } from '../../testing/hold.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
await env.set('desk.makerChecker', false);
await env.control('settings', { payoutMode: 'manual' });
const operators = operatorHelpers(env);
const som = await operators.operator('finance');

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const FUNDS_MINOR = 100_000n;
const HELD_MINOR = 50_000n;

interface Case {
  member: TestMember;
  id: string;
}

async function queued(): Promise<Case> {
  const member = await env.member({ amountMinor: FUNDS_MINOR });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 500 }, { token: member.token });
  return { member, id: body.id };
}

const holdOrder = () => holdCall(env.app.deps.payoutBank, 'payout');
const pay = () => env.app.runJob('withdrawals.pay');
const checkStatus = ({ id }: Case) => env.app.runJob('withdrawals.ask', { id });
const fault = ({ id }: Case, call: 'payout' | 'payout-status', kind: string, code?: number) =>
  env.fault({ party: 'bank-a', call, reference: id, kind, count: 1, ...(code && { code }) });

/** The order is older than its call and the grace after it. */
const endGrace = ({ id }: Case) =>
  env.owner.query(
    `update payout set touched_at = touched_at - interval '2 minutes', ordered_at = ordered_at - interval '2 minutes'
     where withdrawal_id = $1`,
    [id],
  );

async function ordersSent({ id }: Case): Promise<number> {
  const { entries } = await env.control(`log?party=bank-a&call=payout&reference=${id}&limit=100`);
  return entries.length;
}

async function stateOf({ member, id }: Case) {
  const { rows } = await env.pool.query('select status from withdrawal where id = $1', [id]);
  return [rows[0].status, await env.balance(member)];
}
const HELD = ['PROCESSING', FUNDS_MINOR - HELD_MINOR];

/** The bank pays what it has accepted; the money is there once. */
async function expectPaidOnce(one: Case): Promise<void> {
  await env.control('payout', { reference: one.id, state: 'PAID' });
  await checkStatus(one);
  expect(await stateOf(one)).toEqual(['SUCCESS', FUNDS_MINOR - HELD_MINOR]);
}

describe('a first order that is refused after a repeat was sent', () => {
  /** A first order held back while the order is sent again. */
  async function repeated() {
    const one = await queued();
    const first = holdOrder();
    const paying = pay();
    await first.held;
    await endGrace(one);
    return { one, first, paying };
  }

  test.each(['4001', 'DUPLICATE'])('%s leaves the money held for the accepted repeat', async (code) => {
    const { one, first, paying } = await repeated();
    await checkStatus(one);
    first.release({ outcome: 'rejected', code });
    await paying;
    expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 1]);
    await expectPaidOnce(one);
  });

  test('is no refusal of a repeat that the bank has never seen: that one is sent again', async () => {
    const { one, first, paying } = await repeated();
    await fault(one, 'payout', 'cut-before');
    await checkStatus(one);
    first.release({ outcome: 'rejected', code: '4001' });
    await paying;
    await endGrace(one);
    await checkStatus(one);
    expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 2]);
    await expectPaidOnce(one);
  });
});

test.each([
  ['', []],
  [', also when a status is unclear after it', [{ outcome: 'unknown', note: 'TimeoutError' }]],
] as const)(
  'released twice: an order that the bank has accepted is not ended by its late refusal%s',
  async (_what, later) => {
    const one = await queued();
    const first = holdOrder();
    const paying = pay();
    await first.held;
    await endGrace(one);
    const accepted = {
      outcome: 'ok',
      value: { state: 'ACCEPTED', amountMinor: HELD_MINOR, reason: null },
    } as const;
    for (const response of [accepted, ...later]) {
      const status = holdCall(env.app.deps.payoutBank, 'payoutState');
      const checking = checkStatus(one);
      await status.held;
      status.release(response);
      await checking;
    }
    first.release({ outcome: 'rejected', code: '4001' });
    await paying;
    expect(await stateOf(one)).toEqual(HELD);
    // Its refusal is none of an order sent again: a bank that has not seen it gets it again under its reference.
    await endGrace(one);
    const absent = holdCall(env.app.deps.payoutBank, 'payoutState');
    const checking = checkStatus(one);
    await absent.held;
    absent.release({ outcome: 'rejected', code: 'ABSENT' });
    await checking;
    expect(await stateOf(one)).toEqual(HELD);
  },
);

test('an order accepted once, absent later and refused when repeated gives the money back when it is absent again', async () => {
  const one = await queued();
  await pay();
  /** A status by which the bank has never seen the order, after its grace. */
  const checkAbsent = async () => {
    await endGrace(one);
    await fault(one, 'payout-status', 'refuse', 4040);
    await checkStatus(one);
  };
  await fault(one, 'payout', 'refuse', 4001);
  await checkAbsent();
  expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 2]);
  await checkAbsent();
  expect([await stateOf(one), await ordersSent(one)]).toEqual([['FAILED', FUNDS_MINOR], 2]);
});

test('a refusal that is being booked lets no repeat be sent', async () => {
  const one = await queued();
  const releasing = holdItem(env.app.deps.ledger, 'withdrawal_released');
  await fault(one, 'payout', 'refuse');
  const paying = pay();
  await releasing.held;
  await endGrace(one);
  await checkStatus(one);
  releasing.release();
  await paying;
  expect([await stateOf(one), await ordersSent(one)]).toEqual([['FAILED', FUNDS_MINOR], 1]);
});

describe('a first order that was held up before it was sent', () => {
  /** A worker held up between taking a withdrawal and sending its order. */
  async function heldUp() {
    const one = await queued();
    const worker = holdQuery(env.pool, 'select w.id, w.member_id');
    const paying = pay();
    await worker.held;
    await endGrace(one);
    const goOn = async () => {
      worker.release();
      await paying;
    };
    return { one, goOn };
  }

  test('is not sent once the order was sent again', async () => {
    const { one, goOn } = await heldUp();
    await checkStatus(one);
    await goOn();
    expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 1]);
    await expectPaidOnce(one);
  });

  test('is not sent once an operator has booked it as paid', async () => {
    const { one, goOn } = await heldUp();
    await fault(one, 'payout-status', 'outage');
    await checkStatus(one);
    const path = `/api/operator/withdrawals/${one.id}`;
    await operators.call(som, 'POST', `${path}/claim`, {});
    const proof = { proof: 'SCB ref 1', bankCode: 'SCB', status: 'PROCESSING' };
    expect(await operators.call(som, 'POST', `${path}/paid`, proof)).toMatchObject({ status: 200 });
    await goOn();
    expect(await ordersSent(one)).toBe(0);
    expect(await stateOf(one)).toEqual(['SUCCESS', FUNDS_MINOR - HELD_MINOR]);
  });

  test('waits while payouts are paused', async () => {
    const { one, goOn } = await heldUp();
    await env.owner.query("insert into payout_fence (timeline) values ('another')");
    await goOn();
    expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 0]);
    await env.owner.query('delete from payout_fence');
    await checkStatus(one);
    expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 1]);
  });

  test('is sent when nothing happened meanwhile, and has its own time to arrive', async () => {
    const { one, goOn } = await heldUp();
    const order = holdOrder();
    const going = goOn();
    await order.held;
    await checkStatus(one);
    expect(await ordersSent(one)).toBe(0);
    order.release(null);
    await going;
    expect([await stateOf(one), await ordersSent(one)]).toEqual([HELD, 1]);
    await expectPaidOnce(one);
  });
});

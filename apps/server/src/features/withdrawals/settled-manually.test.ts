import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
await env.set('unknown.absentGraceSeconds', 20);
await env.control('settings', { payoutMode: 'manual' });
const operators = operatorHelpers(env);
const [som, lead, second] = [
  await operators.operator('finance'),
  await operators.operator('finance-lead'),
  await operators.operator('finance-lead'),
];

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const pay = () => env.app.runJob('withdrawals.pay');
const checkStatus = (id: string) => env.app.runJob('withdrawals.ask', { id });
const perform = (as: TestOperator, id: string, what: string, body: object) =>
  operators.call(as, 'POST', `/api/operator/withdrawals/${id}/${what}`, body);
const decide = (as: TestOperator, approval: string, what: 'approve' | 'refuse', body: object = {}) =>
  operators.call(as, 'POST', `/api/operator/approvals/${approval}/${what}`, body);
const state = async (id: string): Promise<string> =>
  (await env.pool.query('select status from withdrawal where id = $1', [id])).rows[0].status;
const alerts = async (id: string): Promise<string[]> =>
  (
    await env.pool.query('select kind from alert where subject = $1 and closed_at is null', [
      `withdrawal:${id}`,
    ])
  ).rows.map((row) => row.kind);
async function orders(reference: string): Promise<{ state: string }[]> {
  const { payouts } = await env.control('books');
  return payouts.filter((payout: { reference: string }) => payout.reference === reference);
}
const refusal = (message: string, data?: object) => ({
  status: 409,
  body: { message, ...(data ? { data } : {}) },
});

async function requested(amount: number): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  return { id: body.id, member };
}
/** A withdrawal whose order the bank has never seen, or whose answer it lost; the grace is over. */
async function unknown(kind: 'cut-before' | 'cut-after' = 'cut-before') {
  const one = await requested(500);
  await env.fault({ party: 'bank-a', call: 'payout', reference: one.id, kind, count: 1 });
  await pay();
  await graceOver(one.id);
  return one;
}
/** Ends what a request waits for: its time is over, and its maker may not make it any more. */
async function lapse(approval: string, maker: TestOperator): Promise<void> {
  const later =
    "update approval set lapses_at = least(lapses_at, now() + interval '24 hours') - interval '25 hours'";
  await env.owner.query(`${later} where id = $1 and lapses_at < '9999-01-01'`, [approval]);
  await env.owner.query("update operator set status = 'SUSPENDED' where name = $1", [maker.name]);
  await env.app.runJob('approvals.lapse');
}

const graceOver = (id: string) =>
  env.owner.query(
    "update payout set touched_at = now() - interval '1 minute', ordered_at = ordered_at - interval '1 minute' where withdrawal_id = $1",
    [id],
  );
const away = (id: string) =>
  env.fault({ party: 'bank-a', call: 'payout-status', reference: id, kind: 'outage' });
const back = () => env.control('faults', { clear: true });
let transfers = 0;
/** Of a transfer of its own. */
const paid = (proof = `SCB ref ${++transfers}`) => ({ proof, bankCode: 'SCB' });

async function settleManually(id: string, status = 'PROCESSING') {
  await perform(som, id, 'claim', {});
  return perform(som, id, 'paid', { ...paid(), status });
}

describe('a request to book a withdrawal as paid manually', () => {
  test('is not ordered again when the bank responds, before the second approval and after', async () => {
    const { id, member } = await unknown();
    await away(id);
    const reply = await settleManually(id);
    expect(reply).toMatchObject({ status: 200, body: { state: 'PROCESSING', approval: expect.any(String) } });
    await back();
    await checkStatus(id);
    expect(await orders(id)).toEqual([]);
    expect((await decide(lead, reply.body.approval, 'approve')).status).toBe(200);
    await checkStatus(id);
    expect([await state(id), await orders(id), await env.balance(member)]).toEqual(['SUCCESS', [], 0n]);
    expect(await alerts(id)).toEqual([]);
  });

  test('is ordered again once the second person has refused it', async () => {
    const { id } = await unknown();
    const { body } = await settleManually(id);
    await decide(lead, body.approval, 'refuse', { note: 'no such line' });
    await Promise.all([checkStatus(id), checkStatus(id), checkStatus(id)]);
    expect(await orders(id)).toHaveLength(1);
  });

  test('and the order sent again at the same moment: one of them is', async () => {
    for (let round = 0; round < 12; round++) {
      const { id } = await unknown();
      await perform(som, id, 'claim', {});
      const [, reply] = await Promise.all([
        checkStatus(id),
        perform(som, id, 'paid', { ...paid(), status: 'PROCESSING' }),
      ]);
      const sent = (await orders(id)).length;
      expect([sent, reply.status === 200 ? 1 : 0].toSorted()).toEqual([0, 1]);
    }
  });

  test('and is booked at once where one person decides, is booked or ordered again, never both', async () => {
    await env.set('desk.makerChecker', false);
    for (let round = 0; round < 12; round++) {
      const { id } = await unknown();
      await perform(som, id, 'claim', {});
      const hand = () => perform(som, id, 'paid', { ...paid(), status: 'PROCESSING' });
      const both = await Promise.all(round % 2 ? [hand(), checkStatus(id)] : [checkStatus(id).then(hand)]);
      const sent = (await orders(id)).length;
      expect([sent, both[0]?.status === 200 ? 1 : 0].toSorted()).toEqual([0, 1]);
      expect(await state(id)).toBe(sent === 1 ? 'PROCESSING' : 'SUCCESS');
    }
    await env.set('desk.makerChecker', true);
  });

  test('is not ordered by a worker that queried the bank before it was booked', async () => {
    const { id, member } = await unknown();
    const { body } = await settleManually(id);
    await env.fault({
      party: 'bank-a',
      call: 'payout-status',
      reference: id,
      kind: 'delay',
      ms: 700,
      count: 1,
    });
    const check = checkStatus(id);
    await until(async () => {
      const { faults } = await env.control('faults');
      return !faults.some((fault: { reference?: string }) => fault.reference === id);
    });
    expect((await decide(lead, body.approval, 'approve')).status).toBe(200);
    await check;
    expect([await state(id), await orders(id), await env.balance(member)]).toEqual(['SUCCESS', [], 0n]);
  });

  test('is refused while an order is on its way or may still arrive', async () => {
    const { id } = await unknown();
    await perform(som, id, 'claim', {});
    await env.fault({ party: 'bank-a', call: 'payout', reference: id, kind: 'delay', ms: 700, count: 1 });
    const check = checkStatus(id);
    await until(async () => {
      const { rows } = await env.pool.query('select state from payout where withdrawal_id = $1', [id]);
      return rows[0].state === 'SENT';
    });
    // Another question meanwhile frees nothing.
    await checkStatus(id);
    expect(await perform(som, id, 'paid', { ...paid(), status: 'PROCESSING' })).toMatchObject(
      refusal('ROW_CHANGED', { state: 'PROCESSING', payout: 'SENT' }),
    );
    await check;
    expect(await orders(id)).toHaveLength(1);

    const young = await requested(500);
    await env.fault({ party: 'bank-a', call: 'payout', reference: young.id, kind: 'cut-before', count: 1 });
    await pay();
    await perform(som, young.id, 'claim', {});
    expect(await perform(som, young.id, 'paid', { ...paid(), status: 'PROCESSING' })).toMatchObject(
      refusal('PAYOUT_UNSURE', { state: 'UNKNOWN' }),
    );
  });

  test('is refused when the bank pays or has paid it, and again when it is carried out', async () => {
    const { id } = await unknown('cut-after');
    for (const [end, expected] of [
      [null, 'ACCEPTED'],
      ['PAID', 'PAID'],
    ]) {
      if (end) await env.control('payout', { reference: id, state: end });
      expect(await settleManually(id)).toMatchObject(refusal('PAYOUT_UNSURE', { state: expected }));
    }
    const later = await unknown('cut-after');
    await away(later.id);
    const { body } = await settleManually(later.id);
    await back();
    await env.control('payout', { reference: later.id, state: 'PAID' });
    expect(await decide(lead, body.approval, 'approve')).toMatchObject(
      refusal('PAYOUT_UNSURE', { state: 'PAID' }),
    );
    await checkStatus(later.id);
    expect([await state(later.id), await alerts(later.id)]).toEqual(['SUCCESS', ['payout-contradicts']]);
    // Only the bank's response counts once the request is refused.
    await decide(lead, body.approval, 'refuse', { note: 'the bank has paid it' });
    expect(await alerts(later.id)).toEqual([]);
  });

  test('is not given back to the wallet on the bank’s refusal until the second person has refused it', async () => {
    const { id, member } = await unknown('cut-after');
    await away(id);
    const { body } = await settleManually(id);
    await back();
    await env.control('payout', { reference: id, state: 'REJECTED' });
    await checkStatus(id);
    expect([await state(id), await env.balance(member)]).toEqual(['PROCESSING', 0n]);
    await decide(lead, body.approval, 'refuse', { note: 'no such line' });
    await checkStatus(id);
    expect([await state(id), await env.balance(member)]).toEqual(['FAILED', 50_000n]);
  });

  test('is neither paid, approved nor refused while it waits for a second person', async () => {
    const { id, member } = await requested(24_000);
    await perform(lead, id, 'claim', {});
    const seen = { status: 'REVIEW' };
    const reply = await perform(lead, id, 'paid', { ...paid(), ...seen });
    const { approval } = reply.body;
    await perform(second, id, 'claim', {});
    for (const [what, body] of [
      ['approve', seen],
      ['reject', { ...seen, reason: 'another name' }],
    ] as const)
      expect(await perform(second, id, what, body)).toMatchObject(refusal('APPROVAL_PENDING', { approval }));
    expect((await decide(second, approval, 'approve')).status).toBe(200);
    expect([await state(id), await env.balance(member)]).toEqual(['SUCCESS', 0n]);
  });

  test('in the queue is taken by the worker or waits for a second person, never both', async () => {
    for (let round = 0; round < 12; round++) {
      const { id } = await requested(500);
      await env.set('desk.withdrawalMax', { BAHT: 100, LAK: 100 });
      await perform(lead, id, 'claim', {});
      const [, reply] = await Promise.all([
        pay(),
        perform(lead, id, 'paid', { ...paid(), status: 'QUEUED' }),
      ]);
      expect([(await orders(id)).length, reply.status === 200 ? 1 : 0].toSorted()).toEqual([0, 1]);
      if (reply.status === 200) {
        await pay();
        expect(await orders(id)).toEqual([]);
        expect((await decide(second, reply.body.approval, 'approve')).status).toBe(200);
      }
      await env.set('desk.withdrawalMax', { BAHT: 20_000, LAK: 14_000_000 });
    }
  });
});

describe('a proof', () => {
  const bookedWith = async (as: TestOperator, id: string, proof: string) => {
    await perform(as, id, 'claim', {});
    return perform(as, id, 'paid', { ...paid(proof), status: 'QUEUED' });
  };

  test('of one withdrawal books no other, however it is written', async () => {
    const [first, other] = [await requested(500), await requested(500)];
    expect((await bookedWith(som, first.id, 'SCB Ref 77')).status).toBe(200);
    for (const proof of ['SCB Ref 77', 'scbref77 '])
      expect(await bookedWith(som, other.id, proof)).toMatchObject(
        refusal('PROOF_USED', { withdrawal: first.id }),
      );
    expect(await state(other.id)).toBe('QUEUED');
    expect((await bookedWith(som, other.id, 'SCB Ref 77 (2)')).status).toBe(200);
  });

  test('books one of several withdrawals at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const ids = [(await requested(500)).id, (await requested(500)).id, (await requested(500)).id];
      for (const id of ids) await perform(som, id, 'claim', {});
      const body = { ...paid(), status: 'QUEUED' };
      const replies = await Promise.all(ids.map((id) => perform(som, id, 'paid', body)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      const refused = replies.filter(({ status }) => status === 409);
      const booked = ids.find((_, at) => replies[at]!.status === 200);
      for (const reply of refused) expect(reply).toMatchObject(refusal('PROOF_USED', { withdrawal: booked }));
      expect((await Promise.all(ids.map(state))).toSorted()).toEqual(['QUEUED', 'QUEUED', 'SUCCESS']);
    }
  });

  test('that another withdrawal was booked with meanwhile ends no request', async () => {
    const [waiting, other] = [await unknown(), await requested(500)];
    await away(waiting.id);
    await perform(som, waiting.id, 'claim', {});
    const request = await perform(som, waiting.id, 'paid', { ...paid('SCB Ref 78'), status: 'PROCESSING' });
    expect((await bookedWith(som, other.id, 'SCB Ref 78')).status).toBe(200);
    expect(await decide(lead, request.body.approval, 'approve')).toMatchObject(
      refusal('PROOF_USED', { withdrawal: other.id }),
    );
    expect(await state(waiting.id)).toBe('PROCESSING');
    await decide(lead, request.body.approval, 'refuse', { note: 'the proof is of another withdrawal' });
    await back();
  });
});

test('a payout by the bank after a manual booking alerts operators once', async () => {
  const { id, member } = await unknown('cut-after');
  await away(id);
  const { body } = await settleManually(id);
  expect((await decide(lead, body.approval, 'approve')).status).toBe(200);
  const { rows } = await env.owner.query('select key from graphile_worker.jobs where key = $1', [
    `withdrawals.ask:${id}`,
  ]);
  expect(rows).toHaveLength(1);
  await checkStatus(id);
  expect(await alerts(id)).toEqual([]);
  await back();
  await env.control('payout', { reference: id, state: 'PAID' });
  await Promise.all([checkStatus(id), checkStatus(id)]);
  expect([await state(id), await env.balance(member), await alerts(id)]).toEqual([
    'SUCCESS',
    0n,
    ['payout-contradicts'],
  ]);
});

describe('paid twice: a request that says the money has left', () => {
  /** A withdrawal of unknown outcome that an operator has paid at another bank and requested to book. */
  async function paidElsewhere(kind: 'cut-before' | 'cut-after') {
    const maker = await operators.operator('finance');
    const { id } = await unknown(kind);
    await env.fault({ party: 'bank-a', call: 'payout-status', reference: id, kind: 'outage' });
    await perform(maker, id, 'claim', {});
    const { body } = await perform(maker, id, 'paid', {
      proof: `SCB ${id}`,
      bankCode: 'SCB',
      status: 'PROCESSING',
    });
    await env.control('faults', { clear: true });
    return { id, maker, approval: body.approval as string };
  }

  test('lapses neither by time nor with its maker, so that nothing is sent before it is decided', async () => {
    const { id, maker, approval } = await paidElsewhere('cut-before');
    await lapse(approval, maker);
    await checkStatus(id);
    expect(await orders(id)).toEqual([]);
    const list = await operators.call(lead, 'GET', '/api/operator/approvals?state=PENDING');
    expect(list.body.approvals.find((one: { id: string }) => one.id === approval)).toMatchObject({
      mayCheck: true,
      lapsesAt: null,
    });
    // As a server of the version before does it.
    await env.owner.query("update approval set state = 'LAPSED', lapsed_because = 'MAKER' where id = $1", [
      approval,
    ]);
    await checkStatus(id);
    expect(await orders(id)).toEqual([]);
    expect(await decide(lead, approval, 'approve')).toMatchObject({
      status: 200,
      body: { state: 'SUCCESS' },
    });
    expect(await orders(id)).toEqual([]);
  });

  test('keeps the alert that the bank paid too, until it is decided', async () => {
    const { id, maker, approval } = await paidElsewhere('cut-after');
    await env.control('payout', { reference: id, state: 'PAID' });
    await checkStatus(id);
    expect(await alerts(id)).toEqual(['payout-contradicts']);
    await lapse(approval, maker);
    expect(await alerts(id)).toEqual(['payout-contradicts']);
    expect(await decide(lead, approval, 'refuse', { note: 'the bank paid it alone' })).toMatchObject({
      status: 200,
    });
    expect(await alerts(id)).toEqual([]);
  });

  test('holds back a withdrawal that waits for the bank', async () => {
    const maker = await operators.operator('finance-lead');
    const { id } = await requested(500);
    await env.set('desk.withdrawalMax', { BAHT: 100, LAK: 100 });
    await perform(maker, id, 'claim', {});
    const paid = { proof: `SCB ${id}`, bankCode: 'SCB', status: 'QUEUED' };
    const { body } = await perform(maker, id, 'paid', paid);
    expect(body.approval).toMatch(/^AP/);
    await lapse(body.approval, maker);
    await env.app.runJob('withdrawals.sweep');
    await pay();
    expect(await orders(id)).toEqual([]);
    expect(await decide(lead, body.approval, 'approve')).toMatchObject({ status: 200 });
  });
});

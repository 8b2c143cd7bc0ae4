import { MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { pass, pushedClock } from '../../testing.ts';
import { paymentHelpers } from '../testing-payments.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = paymentHelpers(env, clock.now);
const { qr, notice, transaction, mute } = helpers;

async function pay(phone: string, payload: string, options: object = {}): Promise<string[]> {
  const { payments } = await env.control('pay-qr', { payload, phone, ...options });
  return payments.map((payment: { transRef: string }) => payment.transRef);
}
const booked = (transRef: string | undefined) => until(async () => (await transaction(transRef!))[0]);
const cancel = (member: TestMember) =>
  env.call('DELETE', '/api/qrcode/KBANK', undefined, { token: member.token });

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
  // Whatever the bank has received is in our books, once.
  const { payments } = await env.control('books');
  const { rows } = await env.pool.query('select bank_reference from bank_transaction');
  const transactions = rows.map((row) => row.bank_reference);
  expect(transactions).toEqual(
    expect.arrayContaining(payments.map((one: { transRef: string }) => one.transRef)),
  );
  expect(new Set(transactions).size).toBe(transactions.length);
});

describe('money that differs from the request', () => {
  test.each([
    ['less', 40],
    ['more', 250.5],
  ])('%s than requested: what arrived is credited', async (_which, amount) => {
    const member = await env.member();
    const { payload } = await qr(member, 100);
    const [transRef] = await pay(member.phone, payload, { amount });
    await booked(transRef);
    expect(await env.balance(member)).toBe(BigInt(amount * 100));
  });

  test('from another account: credited, with a flag; from the registered account: without', async () => {
    const [member, otherMember] = [await env.member(), await env.member()];
    const flags = async () =>
      (
        await env.pool.query('select from_stranger from deposit where member_id = $1 order by created_at', [
          member.id,
        ])
      ).rows.map((row) => row.from_stranger);
    await booked((await pay(otherMember.phone, (await qr(member, 100)).payload))[0]);
    await booked((await pay(member.phone, (await qr(member, 100)).payload))[0]);
    expect(await flags()).toEqual([true, false]);
    expect(await env.balance(member)).toBe(20_000n);
    expect(await env.balance(otherMember)).toBe(0n);
  });

  test('the payer’s name and number are stored encrypted, and shown masked', async () => {
    const member = await env.member();
    const [transRef] = await pay(member.phone, (await qr(member, 100)).payload);
    await booked(transRef);
    const { rows } = await env.pool.query(
      'select payer_mask, payer_sealed from bank_transaction where bank_reference = $1',
      [transRef],
    );
    expect(rows[0].payer_mask).toBe(`xxx-x-x${member.accountNo.slice(-5, -1)}-x`);
    expect(rows[0].payer_sealed.includes(member.accountNo)).toBe(false);
  });
});

describe('money that no deposit expects goes to unmatched', () => {
  test('paid twice by two transfers: the second, with its likely owner', async () => {
    const member = await env.member();
    const refs = await pay(member.phone, (await qr(member, 100)).payload, { times: 2 });
    const transactions = [await booked(refs[0]), await booked(refs[1])];
    const unmatched = transactions.filter((one) => one.state === 'UNMATCHED');
    expect(unmatched).toEqual([
      { state: 'UNMATCHED', amount: 10_000n, likely_member_id: member.id, reason: 'QR_PAID_BEFORE' },
    ]);
    expect(await env.balance(member)).toBe(10_000n);
  });

  test.each(['expiry', 'cancel', 'a newer QR'])('paid after %s', async (end) => {
    const member = await env.member();
    const { payload } = await qr(member, 100);
    if (end === 'expiry') await pass(env, clock, 11 * MINUTE_MS);
    if (end === 'cancel') await cancel(member);
    if (end === 'a newer QR') await qr(member, 200);
    const [transRef] = await pay(member.phone, payload);
    expect(await booked(transRef)).toEqual({
      state: 'UNMATCHED',
      amount: 10_000n,
      likely_member_id: member.id,
      reason: 'QR_CLOSED',
    });
    expect(await env.balance(member)).toBe(0n);
  });

  test('under a reference we never gave: without an owner', async () => {
    const one = notice('QR0NOBODY');
    expect((await helpers.notify(one)).status).toBe(200);
    expect(await transaction(one.transRef)).toEqual([
      { state: 'UNMATCHED', amount: 10_000n, likely_member_id: null, reason: 'UNKNOWN_REFERENCE' },
    ]);
  });

  test('the sum of unmatched transactions is the unmatched account', async () => {
    const { rows } = await env.pool.query(
      "select (select sum(amount) from bank_transaction where state = 'UNMATCHED') as transactions, (select balance from ledger_account where kind = 'unmatched' and asset = 1) as account",
    );
    expect(rows[0].transactions).toEqual(String(rows[0].account));
  });
});

describe('paid in time but reported late is credited:', () => {
  test.each(['expiry', 'cancel', 'a newer QR'])('confirmed after %s', async (end) => {
    const member = await env.member();
    const { id, payload } = await qr(member, 100);
    await mute(id);
    await pay(member.phone, payload);
    if (end === 'expiry') await pass(env, clock, 11 * MINUTE_MS);
    if (end === 'expiry') await env.app.runJob('qr.expire');
    if (end === 'cancel') await cancel(member);
    if (end === 'a newer QR') await qr(member, 200);
    expect(await env.control('confirm', { reference: id })).toMatchObject({ acknowledged: true });
    expect(await env.balance(member)).toBe(10_000n);
    // The next QR is not touched by it.
    if (end === 'a newer QR')
      expect(
        (await env.call('GET', '/api/qrcode/KBANK', undefined, { token: member.token })).body.amount,
      ).toBe(200);
  });
});

test('stuck money: a payment reported after its member’s account was closed goes to unmatched', async () => {
  const member = await env.member();
  const { id, payload } = await qr(member, 100);
  await mute(id);
  const [transRef] = await pay(member.phone, payload);
  await cancel(member);
  await env.owner.query("update member set status = 'CLOSED' where id = $1", [member.id]);
  expect(await env.control('confirm', { reference: id })).toMatchObject({ acknowledged: true });
  expect(await env.balance(member)).toBe(0n);
  expect(await transaction(transRef!)).toEqual([
    { state: 'UNMATCHED', amount: 10_000n, likely_member_id: member.id, reason: 'MEMBER_CLOSED' },
  ]);
});

describe('when every confirmation was lost', () => {
  const checkQrs = () => env.app.runJob('deposits.ask');

  test('querying the bank finds the payment, once', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 100);
    await mute(id);
    await pay(member.phone, payload);
    await pass(env, clock, MINUTE_MS);
    await Promise.all([checkQrs(), checkQrs()]);
    await checkQrs();
    expect(await env.balance(member)).toBe(10_000n);
    expect(await env.control('confirm', { reference: id })).toMatchObject({ acknowledged: true });
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('a second transfer to a QR already credited is found too', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 100);
    const [first] = await pay(member.phone, payload);
    await booked(first);
    await mute(id);
    const [second] = await pay(member.phone, payload);
    await pass(env, clock, MINUTE_MS);
    await checkQrs();
    expect(await transaction(second!)).toMatchObject([{ state: 'UNMATCHED', likely_member_id: member.id }]);
  });

  test('one QR the bank gives no answer about does not keep the others waiting', async () => {
    const [silent, member] = [await env.member(), await env.member()];
    const [first, second] = [await qr(silent, 100), await qr(member, 100)];
    await mute(second.id);
    await pay(member.phone, second.payload);
    await env.fault({ party: 'bank-a', call: 'inquiry', kind: 'malformed', reference: first.id, count: 9 });
    await pass(env, clock, MINUTE_MS);
    await checkQrs();
    expect(await env.balance(member)).toBe(10_000n);
    await env.control('faults', { clear: true });
  });

  test('an unavailable bank is queried again later', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 100);
    await mute(id);
    await pay(member.phone, payload);
    await pass(env, clock, MINUTE_MS);
    await env.fault({ party: 'bank-a', call: 'inquiry', kind: 'outage' });
    await checkQrs();
    expect(await env.balance(member)).toBe(0n);
    await env.control('faults', { clear: true });
    await checkQrs();
    expect(await env.balance(member)).toBe(10_000n);
  });
});

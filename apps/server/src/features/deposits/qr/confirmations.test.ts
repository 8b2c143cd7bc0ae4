import { MINUTE_MS } from '@krapao/contract/durations';
import { io } from 'socket.io-client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { holdQuery } from '../../../testing/hold.ts';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { contents, pass, pushedClock } from '../../testing.ts';
import { paymentHelpers } from '../testing-payments.ts';
import { depositJobs } from './confirmations.ts';
import { listQrsToCheck, markQrChecked } from './queries.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = paymentHelpers(env, clock.now);
const { qr, notice, transaction, mute } = helpers;

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

/** Pays with the member's own registered account by default. */
async function pay(phone: string, payload: string, options: object = {}): Promise<string[]> {
  const { payments } = await env.control('pay-qr', { payload, phone, ...options });
  return payments.map((payment: { transRef: string }) => payment.transRef);
}

/** The deposit code of each partner that notifies payments. */
const CODE_OF: Record<string, string> = { 'bank-a': 'KBANK', ww: 'WW', zapman: 'ZAPMAN' };
const differing = async (id: string): Promise<number> => {
  const sql = "select count(*)::int as n from alert where kind = 'notification-differs' and subject = $1";
  return (await env.pool.query(sql, [`qr:${id}`])).rows[0].n;
};

const booked = (transRef: string) => until(async () => (await transaction(transRef))[0]);

describe('a signed confirmation', () => {
  test('credits once, writes the statement row, and tells the open screen', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 500);
    const socket = io(env.url, { auth: { token: member.token }, transports: ['websocket'] });
    onTestFinished(() => void socket.close());
    const received: object[] = [];
    const amounts: unknown[] = [];
    socket.on('notice', (event) => received.push(event));
    socket.on('wallet', (event) => amounts.push(event));
    await new Promise((resume) => socket.once('connect', () => resume(null)));
    const [transRef] = await pay(member.phone, payload);
    await booked(transRef!);
    expect(await env.balance(member)).toBe(50_000n);
    const { body } = await env.call(
      'POST',
      '/api/statement',
      { page: 1, limit: 10 },
      { token: member.token },
    );
    expect(body).toMatchObject({
      total: 1,
      statements: [{ statementType: 'deposit', status: 'SUCCESS', from: 'KBANK', to: 'wallet', amount: 500 }],
    });
    await until(async () => received.length > 0 && amounts.length > 0);
    expect(received).toEqual([
      { kind: 'deposit', id: body.statements[0].id, status: 'SUCCESS', amount: 500, qrcodeId: id },
    ]);
    expect(amounts).toEqual([expect.objectContaining({ amount: 500 })]);
    expect(
      (await env.call('GET', '/api/qrcode/KBANK', undefined, { token: member.token })).body.hasQrcode,
    ).toBe(false);
  });

  test.each(['duplicate', 'cut-after', 'malformed', 'wrong-signature'])(
    'troubled by %s on its way credits once',
    async (kind) => {
      const member = await env.member();
      const { payload } = await qr(member, 100);
      await env.fault({ party: 'bank-a', call: 'confirmation', kind, count: 1 });
      const [transRef] = await pay(member.phone, payload);
      await pass(env, clock, 13_000);
      await booked(transRef!);
      await pass(env, clock, 13_000);
      expect(await env.balance(member)).toBe(10_000n);
      expect(await transaction(transRef!)).toHaveLength(1);
    },
  );

  test.each(['bank-a', 'ww', 'zapman'])(
    'of %s about another amount than the QR credits what the inquiry states, and alerts operators',
    async (party) => {
      const member = await env.member();
      const { id, payload } = await qr(member, 100, CODE_OF[party]);
      const call = party === 'bank-a' ? 'confirmation' : 'callback';
      await env.fault({ party, call, kind: 'wrong-amount', count: 1 });
      await pay(member.phone, payload);
      await until(async () => (await env.balance(member)) > 0n);
      expect(await env.balance(member)).toBe(10_000n);
      expect(await differing(id)).toBe(1);
    },
  );

  test('about another amount than the QR credits nothing while the inquiry gives no answer', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 100);
    await mute(id);
    await pay(member.phone, payload);
    await env.fault({ party: 'bank-a', call: 'inquiry', kind: 'outage', count: 1 });
    const other = notice(id, { amount: '101.00' });
    expect(await helpers.notify(other)).toMatchObject({ status: 503 });
    expect([await env.balance(member), await differing(id)]).toEqual([0n, 1]);
    // The bank does not know this payment: repeating the notification changes nothing.
    expect(await helpers.notify(other)).toMatchObject({ status: 503 });
    expect(await env.balance(member)).toBe(10_000n);
    expect(await transaction(other.transRef)).toEqual([]);
  });

  test('forty times at once credits once, and every one is acknowledged', async () => {
    const member = await env.member();
    const { id } = await qr(member, 100);
    const one = notice(id);
    const responses = await Promise.all(Array.from({ length: 40 }, () => helpers.notify(one)));
    expect(responses.map((response) => response.body)).toEqual(
      Array(40).fill({ resCode: '00', resDesc: 'success', transactionId: one.transactionId }),
    );
    expect(await env.balance(member)).toBe(10_000n);
    expect(await transaction(one.transRef)).toHaveLength(1);
  });

  test('overtaken by a later one: both are credited', async () => {
    const [early, later] = [await env.member(), await env.member()];
    const [first, second] = [await qr(early, 100), await qr(later, 200)];
    await env.fault({
      party: 'bank-a',
      call: 'confirmation',
      kind: 'reordered',
      reference: first.id,
      count: 1,
      ms: 60_000,
    });
    await pay(early.phone, first.payload);
    await pay(later.phone, second.payload);
    await until(async () => (await env.balance(early)) === 10_000n && (await env.balance(later)) === 20_000n);
  });
});

describe('changes nothing and is refused:', () => {
  test.each(['wrong-signature', 'old-timestamp', 'changed-amount'])('a notice with %s', async (forge) => {
    const member = await env.member();
    const { id, payload } = await qr(member, 100);
    await mute(id);
    await pay(member.phone, payload);
    const before = await contents(env.owner);
    const response = await env.control('confirm', { reference: id, forge });
    expect(response).toMatchObject({ status: 401, acknowledged: false });
    expect(await contents(env.owner)).toEqual(before);
    expect(await env.control('confirm', { reference: id })).toMatchObject({
      status: 200,
      acknowledged: true,
    });
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('signed bodies that are no payment to us', async () => {
    const { id } = await qr(await env.member(), 100);
    const before = await contents(env.owner);
    const bodies: unknown[] = [
      '',
      '{',
      '[]',
      'null',
      '"text"',
      '{"amount":"1.00"}',
      '{"__proto__":{"amount":"1.00"}}',
      notice(id, { payeeProxyId: '099999999999999' }),
      notice(id, { amount: '-5.00' }),
      notice(id, { amount: '0.00' }),
      notice(id, { amount: 'many' }),
      notice(id, { amount: '1e9' }),
      notice(id, { amount: 100 }),
      notice(id, { amount: '1.001' }),
      notice(id, { currencyCode: '840' }),
      notice(id, { transRef: '' }),
      notice(id, { transRef: undefined }),
      notice(id, { transactionDateandTime: 'yesterday' }),
      notice(id, { billPaymentRef1: null }),
      [notice(id)],
    ];
    for (const body of bodies) {
      const response = await helpers.notify(body);
      expect({ body, status: response.status }).toMatchObject({
        status: expect.toSatisfy((code: number) => code >= 400 && code < 500),
      });
    }
    expect(await contents(env.owner)).toEqual(before);
  });

  test('a right body with a signature that is missing, shifted in time, or out of form', async () => {
    const { id } = await qr(await env.member(), 100);
    const body = JSON.stringify(notice(id));
    const right = helpers.signature(body);
    const before = await contents(env.owner);
    const signatures = [
      '',
      'v1=',
      right.toUpperCase(),
      `${right},v1=00`,
      right.replace('t=', 't= '),
      right.replace(/t=\d+/, 't=0'),
      helpers.signature(body, { ageMs: 6 * MINUTE_MS }),
      helpers.signature(body, { ageMs: -6 * MINUTE_MS }),
      helpers.signature(body, { secret: '' }),
      helpers.signature(`${body} `),
      right.slice(0, -1),
    ];
    for (const signature of signatures)
      expect((await helpers.send(body, { 'x-bank-signature': signature })).status).toBe(401);
    expect((await helpers.send(body, {})).status).toBe(401);
    expect(await contents(env.owner)).toEqual(before);
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/xml', 415],
  ])('content type %s, even rightly signed', async (type, status) => {
    const { id } = await qr(await env.member(), 100);
    const body = JSON.stringify(notice(id));
    const before = await contents(env.owner);
    const response = await helpers.send(body, {
      'content-type': type,
      'x-bank-signature': helpers.signature(body),
    });
    expect(response.status).toBe(status);
    expect(await contents(env.owner)).toEqual(before);
  });

  test('a body longer than any payment', async () => {
    expect((await helpers.notify(notice('X', { payerAccountName: 'x'.repeat(20_000) }))).status).toBe(413);
  });
});

/** A bank that lists one payment of 20.00 of a QR, in a form that cannot be read until `reading.isReadable`. */
function unreadableMaker(id: string, reading: { isReadable: boolean }) {
  const payment = {
    bankReference: `UNREADABLE-${id}`,
    amountMinor: 20_00n,
    payerBank: 'KBANK',
    payerAccount: '1234567890',
    payerName: 'x',
    billerId: 'b',
    reference1: id,
    paidAt: clock.now(),
  };
  const none = { payments: [], unreadable: 0 };
  return {
    ...env.app.deps.qrMakers.find(({ code }) => code === 'KBANK')!,
    paymentsFor: async (reference: string) => {
      const stated = reading.isReadable ? { payments: [payment], unreadable: 0 } : { ...none, unreadable: 1 };
      return { outcome: 'ok' as const, value: reference === id ? stated : none };
    },
  };
}
const unreadableAlerts = async () =>
  (await env.pool.query("select subject from alert where kind = 'payment-unreadable' and closed_at is null"))
    .rows;

test('a payment in a form that cannot be read alerts operators, and its QR is checked until it can be', async () => {
  const member = await env.member();
  const { body } = await env.call('POST', '/api/qrcode/KBANK', { amount: 20 }, { token: member.token });
  const reading = { isReadable: false };
  const maker = unreadableMaker(body.reference, reading);
  const ask = depositJobs(env.app.deps, [maker]).tasks['deposits.ask']!;
  const answeredAt = async () =>
    (await env.pool.query('select answered_at from qr where id = $1', [body.reference])).rows[0].answered_at;
  clock.push(2 * MINUTE_MS);
  // An earlier check had no payment yet.
  await env.owner.query('update qr set answered_at = now() where id = $1', [body.reference]);
  await ask({});
  expect(await answeredAt()).toBe(null);
  expect(await unreadableAlerts()).toEqual([{ subject: `qr:${body.reference}` }]);
  reading.isReadable = true;
  await ask({});
  expect(await answeredAt()).not.toBe(null);
  expect(await unreadableAlerts()).toEqual([]);
  expect(await env.balance(member)).toBe(20_00n);
});

test('the alert of such a payment ends although another check reads it before the alert is opened', async () => {
  const member = await env.member();
  const { id } = await qr(member, 20);
  const reading = { isReadable: false };
  const ask = depositJobs(env.app.deps, [unreadableMaker(id, reading)]).tasks['deposits.ask']!;
  // Past its expiry: once answered it is not checked again after an hour.
  clock.push(12 * MINUTE_MS);
  const alert = holdQuery(env.app.deps.pool, 'alert_open');
  const checking = ask({});
  await alert.held;
  reading.isReadable = true;
  await ask({});
  alert.release();
  await checking;
  clock.push(61 * MINUTE_MS);
  await ask({});
  expect(await unreadableAlerts()).toEqual([]);
  expect(await env.balance(member)).toBe(20_00n);
});

test('an inquiry that the bank refuses does not answer for a QR; that it has never seen the reference does', async () => {
  const member = await env.member();
  const { id } = await qr(member, 35);
  const answeredAt = async () =>
    (await env.pool.query('select answered_at from qr where id = $1', [id])).rows[0].answered_at;
  clock.push(2 * MINUTE_MS);
  for (const code of [4001, 9300, 1102, 7777]) {
    await env.fault({ party: 'bank-a', call: 'inquiry', kind: 'refuse', code, reference: id, count: 1 });
    await env.app.runJob('deposits.ask');
    expect(await answeredAt()).toBe(null);
  }
  await env.fault({ party: 'bank-a', call: 'inquiry', kind: 'refuse', code: 4040, reference: id, count: 1 });
  await env.app.runJob('deposits.ask');
  expect(await answeredAt()).not.toBe(null);
});

test('queries QRs in turn, the least recently queried first', async () => {
  const made: string[] = [];
  for (let at = 0; at < 3; at++) {
    const member = await env.member();
    const qr = await env.call('POST', '/api/qrcode/KBANK', { amount: 20 }, { token: member.token });
    made.push(qr.body.reference);
  }
  const now = clock.now().getTime();
  const after = new Date(now - 60 * MINUTE_MS);
  const window = { oldest: after, after, before: new Date(now + 60 * MINUTE_MS) };
  const order = async () =>
    (await listQrsToCheck(env.pool, 'KBANK', window)).filter((id) => made.includes(id));
  expect(await order()).toEqual(made);
  await markQrChecked(env.pool, made[0]!, new Date());
  expect(await order()).toEqual([made[1], made[2], made[0]]);
});

test('queries members in turn: the many QRs of one member do not delay the QR of another', async () => {
  const [busy, other] = [await env.member(), await env.member()];
  const make = async ({ token }: TestMember) =>
    (await env.call('POST', '/api/qrcode/KBANK', { amount: 20 }, { token })).body.reference as string;
  const [first, second, open] = [await make(busy), await make(busy), await make(busy)];
  const others = await make(other);
  const now = clock.now().getTime();
  const after = new Date(now - 60 * MINUTE_MS);
  const window = { oldest: after, after, before: new Date(now + 60 * MINUTE_MS) };
  const order = async () =>
    (await listQrsToCheck(env.pool, 'KBANK', window)).filter((id) =>
      [first, second, open, others].includes(id),
    );
  // Each making cancelled the QR before it; the one that can still be paid comes first.
  expect(await order()).toEqual([open, others, first, second]);
  await markQrChecked(env.pool, open, new Date());
  expect(await order()).toEqual([others, first, second, open]);
  await markQrChecked(env.pool, others, new Date(Date.now() + 1));
  await markQrChecked(env.pool, first, new Date(Date.now() + 2));
  expect(await order()).toEqual([others, second, open, first]);
});

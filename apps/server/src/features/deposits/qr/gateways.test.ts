import { createHmac, randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@krapao/contract/durations';
import { parseBillPayment } from '@krapao/contract/shared';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { paymentGateway } from '../../../outside/index.ts';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { contents, pass, pushedClock } from '../../testing.ts';
import { depositJobs } from './confirmations.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });

const NONE = { qrcodeId: null, hasQrcode: false, qrcode: null, amount: 0, expireIn: 0 };
const BOTH = ['WW', 'ZAPMAN'] as const;
type Gateway = (typeof BOTH)[number];

const create = (member: TestMember, amount: unknown, at: string = 'WW') =>
  env.call('POST', `/api/qrcode/${at}`, { amount }, { token: member.token });
const read = (member: TestMember, at: string = 'WW') =>
  env.call('GET', `/api/qrcode/${at}`, undefined, { token: member.token });
const cancel = (member: TestMember, at: string = 'WW') =>
  env.call('DELETE', `/api/qrcode/${at}`, undefined, { token: member.token });
async function made(member: TestMember, amount: number, at: Gateway = 'WW') {
  const { body } = await create(member, amount, at);
  return { id: body.qrcodeId as string, payload: body.payload as string };
}
async function pay(member: TestMember, payload: string, options: object = {}): Promise<string[]> {
  const { payments } = await env.control('pay-qr', { payload, phone: member.phone, ...options });
  return payments.map((payment: { transRef: string }) => payment.transRef);
}
async function transaction(transRef: string | undefined) {
  const { rows } = await env.pool.query(
    'select bank_code, state, amount, likely_member_id, reason from bank_transaction where bank_reference = $1',
    [transRef],
  );
  return rows;
}
const booked = (transRef: string | undefined) => until(async () => (await transaction(transRef))[0]);
const mute = (reference: string) =>
  env.fault({ party: 'ww', call: 'callback', kind: 'cut-before', reference, count: 99 });
const checkQrs = () => env.app.runJob('deposits.ask');
async function atGateway(reference: string): Promise<string> {
  const { WW_URL, WW_KEY } = env.app.deps.config;
  const reply = await fetch(`${WW_URL}/v1/payments/${reference}`, { headers: { 'x-api-key': WW_KEY } });
  return ((await reply.json()) as { status: string }).status;
}

/** A callback as the gateway would word it for a payment that was not made. */
const notice = (reference: string, transfer: object = {}, more: object = {}) => ({
  event: 'payment.received',
  paymentId: 'WW0000000001',
  reference,
  transfer: {
    transferId: `TEST${randomBytes(6).toString('hex')}`,
    amount: '150.00',
    paidAt: clock.now().toISOString(),
    payer: { bankCode: '004', accountNo: '7999999999', name: 'ทดสอบ ระบบ' },
    ...transfer,
  },
  ...more,
});
function signature(body: string, ageMs = 0, secret = env.app.deps.config.WW_CALLBACK_SECRET): string {
  const t = Math.floor((clock.now().getTime() - ageMs) / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
const send = (body: string, headers: Record<string, string>, at = 'ww') =>
  env.call('POST', `/hooks/gateways/${at}`, body, { headers });
const notify = (reported: unknown) => {
  const body = typeof reported === 'string' ? reported : JSON.stringify(reported);
  return send(body, { 'x-gateway-signature': signature(body) });
};

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

describe.each(BOTH)('a QR of %s', (at) => {
  test('is for the amount, can be read again, and credits once when paid', async () => {
    const member = await env.member();
    const { body } = await create(member, 150, at);
    expect(body).toMatchObject({ hasQrcode: true, amount: 150, message: null });
    expect(body.expireIn).toBeGreaterThan(595);
    expect(parseBillPayment(body.payload)).toMatchObject({
      reference1: body.reference,
      amountMinor: 15_000n,
    });
    expect((await read(member, at)).body).toMatchObject({ qrcodeId: body.qrcodeId, payload: body.payload });
    const [transRef] = await pay(member, body.payload);
    expect(await booked(transRef)).toMatchObject({ bank_code: at, state: 'CREDITED', amount: 15_000n });
    expect(await env.balance(member)).toBe(15_000n);
    expect((await read(member, at)).body).toMatchObject(NONE);
    const page = { page: 1, limit: 10 };
    const statement = await env.call('POST', '/api/statement', page, { token: member.token });
    expect(statement.body.statements).toMatchObject([
      { statementType: 'deposit', status: 'SUCCESS', from: at, to: 'wallet', amount: 150 },
    ]);
  });

  test.each([99.99, 0, -1, '100', null, 100.001])(
    'takes nothing below 100: %j is refused',
    async (amount) => {
      expect(await create(await env.member(), amount, at)).toMatchObject({
        status: 400,
        body: { message: 'TRANSFER_MINIMUM', data: { min: 100 } },
      });
    },
  );

  test('is offered with its minimum, and only to members with a session', async () => {
    const member = await env.member();
    const { body } = await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token });
    expect(body.banks).toContainEqual(
      expect.objectContaining({ bankCode: at, bankType: at, mode: 'QR', minimum: 100 }),
    );
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(
        (await env.call(method, `/api/qrcode/${at}`, method === 'POST' ? { amount: 100 } : undefined)).status,
      ).toBe(401);
  });
});

describe('one open QR over all providers', () => {
  test('a new one anywhere replaces the old one, and the gateway is notified', async () => {
    const member = await env.member();
    const old = await made(member, 100, 'WW');
    await create(member, 50, 'KBANK');
    expect((await read(member, 'WW')).body).toMatchObject(NONE);
    expect((await read(member, 'KBANK')).body.amount).toBe(50);
    await env.app.runJob('qr.cancel', { id: old.id });
    expect(await atGateway(old.id)).toBe('CANCELLED');
    await create(member, 200, 'ZAPMAN');
    expect((await read(member, 'KBANK')).body).toMatchObject(NONE);
  });

  test('forty at once at three providers leave one open', async () => {
    await env.allowSlowPartners();
    const member = await env.member();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        create(member, 100 + index, ['KBANK', 'WW', 'ZAPMAN'][index % 3]),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200));
    const { rows } = await env.pool.query("select 1 from qr where member_id = $1 and status = 'OPEN'", [
      member.id,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('cancelling', () => {
  test('tells the gateway in the end, whatever trouble there is on the way', async () => {
    const member = await env.member();
    const { id } = await made(member, 100);
    await cancel(member);
    const jobs = async () =>
      (await env.owner.query('select 1 from graphile_worker.jobs where key = $1', [`qr.cancel:${id}`])).rows;
    expect(await jobs()).toHaveLength(1);
    for (const kind of ['outage', 'cut-before', 'malformed', '429', 'refuse']) {
      await env.owner.query('select graphile_worker.remove_job($1)', [`qr.cancel:${id}`]);
      await env.fault({ party: 'ww', call: 'cancel', kind, reference: id, count: 1 });
      await env.app.runJob('qr.cancel', { id });
      expect(await jobs()).toHaveLength(1);
    }
    await env.app.runJob('qr.cancel', { id });
    expect(await atGateway(id)).toBe('CANCELLED');
    await env.app.runJob('qr.cancel', { id });
    expect(await atGateway(id)).toBe('CANCELLED');
  });

  test('never undoes a payment already made, even when the gateway had not reported it yet', async () => {
    const member = await env.member();
    const { id, payload } = await made(member, 150);
    await mute(id);
    await pay(member, payload);
    expect((await cancel(member)).body).toMatchObject(NONE);
    await env.app.runJob('qr.cancel', { id });
    expect(await atGateway(id)).toBe('PAID');
    expect(await env.balance(member)).toBe(15_000n);
  });

  test('does not query a QR that was paid or has expired', async () => {
    const member = await env.member();
    const { id } = await made(member, 150);
    await cancel(member);
    await pass(env, clock, 11 * MINUTE_MS);
    await env.app.runJob('qr.cancel', { id });
    const { entries } = await env.control(`log?call=cancel&reference=${id}`);
    expect(entries).toEqual([]);
  });
});

describe('money that differs from the request', () => {
  test.each([
    ['less', 40],
    ['more', 250.5],
  ])('%s: what arrived is credited', async (_which, amount) => {
    const member = await env.member();
    const { payload } = await made(member, 100);
    await booked((await pay(member, payload, { amount }))[0]);
    expect(await env.balance(member)).toBe(BigInt(amount * 100));
  });

  test('paid twice: the second goes to unmatched with its likely owner', async () => {
    const member = await env.member();
    const refs = await pay(member, (await made(member, 100)).payload, { times: 2 });
    const transactions = [await booked(refs[0]), await booked(refs[1])];
    expect(transactions.filter(({ state }) => state === 'UNMATCHED')).toMatchObject([
      { likely_member_id: member.id, reason: 'QR_PAID_BEFORE' },
    ]);
    expect(await env.balance(member)).toBe(10_000n);
  });

  test.each(['expiry', 'cancel', 'a newer QR'])('paid after %s: to unmatched', async (end) => {
    const member = await env.member();
    const { payload } = await made(member, 100);
    if (end === 'expiry') await pass(env, clock, 11 * MINUTE_MS);
    if (end === 'cancel') await cancel(member);
    if (end === 'a newer QR') await create(member, 200, 'ZAPMAN');
    const [transRef] = await pay(member, payload);
    expect(await booked(transRef)).toMatchObject({
      bank_code: 'WW',
      state: 'UNMATCHED',
      likely_member_id: member.id,
      reason: 'QR_CLOSED',
    });
    expect(await env.balance(member)).toBe(0n);
  });

  test('from another account: credited, with a flag', async () => {
    const [member, otherMember] = [await env.member(), await env.member()];
    await booked((await pay(otherMember, (await made(member, 100)).payload))[0]);
    await booked((await pay(member, (await made(member, 100)).payload))[0]);
    const { rows } = await env.pool.query(
      'select from_stranger from deposit where member_id = $1 order by created_at',
      [member.id],
    );
    expect(rows.map((row) => row.from_stranger)).toEqual([true, false]);
  });

  test('one gateway’s reference in the other’s callback matches no member', async () => {
    const { id } = await made(await env.member(), 100, 'ZAPMAN');
    const reported = notice(id);
    expect((await notify(reported)).status).toBe(200);
    expect(await transaction(reported.transfer.transferId)).toMatchObject([
      { state: 'UNMATCHED', likely_member_id: null, reason: 'UNKNOWN_REFERENCE' },
    ]);
  });
});

describe('a callback', () => {
  test.each(['duplicate', 'cut-after', 'malformed', 'wrong-signature', 'late', 'reordered'])(
    'troubled by %s on its way credits once',
    async (kind) => {
      const member = await env.member();
      const { id, payload } = await made(member, 100);
      await env.fault({ party: 'ww', call: 'callback', kind, reference: id, count: 1, ms: 10_000 });
      const [transRef] = await pay(member, payload);
      await pass(env, clock, 13_000);
      await booked(transRef);
      await pass(env, clock, 13_000);
      expect([await env.balance(member), (await transaction(transRef)).length]).toEqual([10_000n, 1]);
    },
  );

  test('forty times at once credits once, and every one is acknowledged', async () => {
    const member = await env.member();
    const reported = notice((await made(member, 150)).id);
    const responses = await Promise.all(Array.from({ length: 40 }, () => notify(reported)));
    expect(responses.map(({ body }) => body)).toEqual(Array(40).fill({ received: true }));
    expect(await env.balance(member)).toBe(15_000n);
  });

  test('and forty different ones for one QR at once credit one; the rest is unmatched', async () => {
    const member = await env.member();
    const { id } = await made(member, 150);
    const reported = Array.from({ length: 40 }, () => notice(id));
    await Promise.all(reported.map(notify));
    expect(await env.balance(member)).toBe(15_000n);
    const states = await Promise.all(
      reported.map(async (one) => (await transaction(one.transfer.transferId))[0].state),
    );
    expect(states.filter((state) => state === 'CREDITED')).toHaveLength(1);
  });

  test.each(['wrong-signature', 'old-timestamp', 'changed-amount'])(
    'with %s changes nothing; the true one then credits',
    async (forge) => {
      const member = await env.member();
      const { id, payload } = await made(member, 150);
      await mute(id);
      await pay(member, payload);
      const before = await contents(env.owner);
      expect(await env.control('confirm', { reference: id, forge })).toMatchObject({ status: 401 });
      expect(await contents(env.owner)).toEqual(before);
      expect(await env.control('confirm', { reference: id })).toMatchObject({ acknowledged: true });
      expect(await env.balance(member)).toBe(15_000n);
    },
  );

  test('signed but out of shape, signed by another, missing or too old changes nothing', async () => {
    const { id } = await made(await env.member(), 150);
    const before = await contents(env.owner);
    for (const wrong of [
      '',
      '{',
      'null',
      '[]',
      { event: 'payment.received' },
      notice(id, { amount: '0.00' }),
      notice(id, { amount: '-1.00' }),
      notice(id, { amount: 150 }),
      notice(id, { transferId: '' }),
      notice(id, { paidAt: 'yesterday' }),
      notice(id, { payer: null }),
      notice(id, {}, { event: 'payment.refunded' }),
      notice(id, {}, { reference: null }),
    ])
      expect((await notify(wrong)).status).toBeGreaterThanOrEqual(400);
    const body = JSON.stringify(notice(id));
    const theirs = env.app.deps.config.ZAPMAN_CALLBACK_SECRET;
    for (const header of [
      '',
      signature(body, 0, theirs),
      signature(body, 6 * MINUTE_MS),
      signature(body, -6 * MINUTE_MS),
      signature(`${body} `),
    ])
      expect((await send(body, { 'x-gateway-signature': header })).status).toBe(401);
    expect((await send(body, {})).status).toBe(401);
    expect((await send(body, { 'x-gateway-signature': signature(body) }, 'zapman')).status).toBe(401);
    expect(await contents(env.owner)).toEqual(before);
  });
});

describe('when every callback was lost', () => {
  test('querying the gateway finds the payment, once', async () => {
    const member = await env.member();
    const { id, payload } = await made(member, 150);
    await mute(id);
    await pay(member, payload);
    await pass(env, clock, MINUTE_MS);
    for (const kind of ['outage', 'malformed', 'cut-after', 'refuse']) {
      await env.fault({ party: 'ww', call: 'payment-status', reference: id, kind, count: 1 });
      await checkQrs();
      expect(await env.balance(member)).toBe(0n);
    }
    await Promise.all([checkQrs(), checkQrs()]);
    expect(await env.balance(member)).toBe(15_000n);
    expect(await env.control('confirm', { reference: id })).toMatchObject({ acknowledged: true });
    expect(await env.balance(member)).toBe(15_000n);
  });

  test.each([
    ['is away', 'outage'],
    ['refuses the query', 'refuse'],
  ])('a gateway that %s for hours is queried until it responds, and no longer', async (_what, kind) => {
    const member = await env.member();
    const { id, payload } = await made(member, 150);
    await mute(id);
    await pay(member, payload);
    await env.fault({ party: 'ww', call: 'payment-status', reference: id, kind, count: 2 });
    await pass(env, clock, MINUTE_MS);
    await checkQrs();
    await pass(env, clock, 300 * MINUTE_MS);
    await checkQrs();
    expect(await env.balance(member)).toBe(0n);
    await checkQrs();
    expect(await env.balance(member)).toBe(15_000n);
    const asked = async () =>
      (await env.pool.query('select asked_at from qr where id = $1', [id])).rows[0].asked_at;
    const before = await asked();
    await pass(env, clock, MINUTE_MS);
    await checkQrs();
    expect(await asked()).toEqual(before);
  });

  test('a gateway that refuses our key has answered about no QR: with the right key the payment is found', async () => {
    const member = await env.member();
    const { id, payload } = await made(member, 150);
    await mute(id);
    await pay(member, payload);
    const wrong = paymentGateway({
      code: 'WW',
      url: env.app.deps.config.WW_URL,
      key: 'a key before it was changed',
      callbackSecret: 'none',
      hooksUrl: 'http://127.0.0.1',
      timeoutMs: () => 10_000,
    });
    for (const minutes of [1, 30, 300]) {
      await pass(env, clock, minutes * MINUTE_MS);
      await depositJobs(env.app.deps, [wrong]).tasks['deposits.ask']!({});
    }
    await checkQrs();
    expect(await env.balance(member)).toBe(15_000n);
  });

  test('a bank that is away keeps no gateway’s money waiting', async () => {
    const member = await env.member();
    const { id, payload } = await made(member, 150);
    await mute(id);
    await pay(member, payload);
    await pass(env, clock, MINUTE_MS);
    await env.fault({ party: 'bank-a', call: 'inquiry', kind: 'outage' });
    await checkQrs();
    expect(await env.balance(member)).toBe(15_000n);
    await env.control('faults', { clear: true });
  });
});

describe('a gateway that fails to make one', () => {
  test.each([
    'refuse',
    '429',
    '500',
    'outage',
    'cut-before',
    'cut-after',
    'malformed',
    'wrong-amount',
    'delay',
  ])('by %s is QR_FAIL with status 200, and the QR before it stays', async (kind) => {
    const member = await env.member();
    const before = await create(member, 10, 'KBANK');
    const about = {
      party: 'ww',
      call: 'create-payment',
      count: 1,
      ...(kind === 'delay' ? { ms: 1500 } : {}),
    };
    await env.fault({ ...about, kind });
    expect(await create(member, 200)).toMatchObject({ status: 200, body: { ...NONE, message: 'QR_FAIL' } });
    expect((await read(member, 'KBANK')).body.qrcodeId).toBe(before.body.qrcodeId);
  });
});

test('a gateway without an address is not offered, with any deposit accounts', async () => {
  const member = await env.member();
  const { qrMakers } = env.app.deps;
  const [gone] = qrMakers.splice(
    qrMakers.findIndex(({ code }) => code === 'ZAPMAN'),
    1,
  );
  expect(await create(member, 100, 'ZAPMAN')).toMatchObject({ status: 400, body: { message: 'NO_BANK' } });
  const { body } = await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token });
  expect(body.banks.map((bank: { bankCode: string }) => bank.bankCode)).not.toContain('ZAPMAN');
  qrMakers.push(gone!);
});

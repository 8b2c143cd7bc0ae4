import { createHmac } from 'node:crypto';
import { MINUTE_MS } from '@krapao/contract/durations';
import { parseBillPayment } from '@krapao/contract/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
beforeEach(async () => {
  await env.control('reset', { seed: 1 });
  await env.control('settings', { confirmationIntervalMs: 20 });
  env.product.notices.length = 0;
  env.product.resCode = '00';
});
afterAll(() => env.stop());

const order = (reference: string, more: object = {}) => ({
  reference,
  amount: '150.00',
  currency: 'THB',
  expiresAt: new Date(Date.now() + 10 * MINUTE_MS).toISOString(),
  callbackUrl: `${env.product.url}/hooks/ww`,
  ...more,
});
const make = (reference: string, more: object = {}) => env.gateway('ww', '/payments', order(reference, more));
const request = (reference: string) => env.gateway('ww', `/payments/${reference}`);
const cancel = (reference: string) => env.gateway('ww', `/payments/${reference}/cancel`, {});
const pay = (payload: string, more: object = {}) => env.control('pay-qr', { payload, ...more });
const acknowledged = (reference: string) =>
  env.control('wait', { for: 'confirmation', reference, acknowledged: true });

describe('a payment', () => {
  test('is a QR for the amount, paid to the gateway, and open until its time is over', async () => {
    const { status, body } = await make('D1');
    expect([status, body]).toMatchObject([200, { reference: 'D1', status: 'OPEN', transfers: [] }]);
    expect(parseBillPayment(body.qrText)).toMatchObject({
      billerId: '099400016551101',
      reference1: 'D1',
      reference2: body.paymentId,
      amountMinor: 15_000n,
    });
    await env.control('clock', { advanceMs: 11 * MINUTE_MS });
    expect((await request('D1')).body.status).toBe('EXPIRED');
  });

  test('requested again is the same one, with another amount is refused, at the other gateway is another', async () => {
    const first = await make('D1');
    expect((await make('D1')).body).toEqual(first.body);
    expect((await make('D1', { amount: '151.00' })).body.code).toBe('REFERENCE_USED');
    const other = await env.gateway('zapman', '/payments', order('D1'));
    expect(other.body.paymentId).not.toBe(first.body.paymentId);
  });

  test.each([
    ['reference', { reference: 'lower' }],
    ['amount', { amount: '0.00' }],
    ['expiresAt', { expiresAt: 'soon' }],
    ['callbackUrl', { callbackUrl: 'http://example.com/' }],
  ])('with a bad %s is refused', async (what, wrong) => {
    expect(await make('D1', wrong)).toMatchObject({ status: 400, body: { message: what } });
  });

  test('opens for the right key only', async () => {
    expect((await env.gateway('ww', '/payments/D1', undefined, 'sandbox-zapman')).status).toBe(401);
    expect((await request('D1')).body.code).toBe('NOT_FOUND');
  });
});

describe('paying it', () => {
  test('calls back with a signature over what arrived, and shows it in the status', async () => {
    const { body } = await make('D1');
    await pay(body.qrText);
    expect((await acknowledged('D1')).body.found).toBe(true);
    const { signature, body: sent, json } = env.product.notices[0]!;
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
    expect(createHmac('sha256', 'sandbox-ww-callback').update(`${t}.${sent}`).digest('hex')).toBe(v1);
    expect(json).toMatchObject({
      event: 'payment.received',
      reference: 'D1',
      transfer: { amount: '150.00', payer: { bankCode: '004', accountNo: '1234567890' } },
    });
    expect((await request('D1')).body).toMatchObject({
      status: 'PAID',
      transfers: [(json as unknown as { transfer: object }).transfer],
    });
  });

  test('is repeated until answered, three times at most', async () => {
    env.product.resCode = null;
    await pay((await make('D1')).body.qrText);
    const facts = { for: 'confirmation', reference: 'D1' };
    for (let tries = 0, after = 0; tries < 3; tries++) {
      const { body } = await env.control('wait', { ...facts, after });
      expect(body.facts).toMatchObject({ try: tries + 1, acknowledged: false });
      after = body.seq;
    }
  });

  test('twice, and after a cancel, still brings the money', async () => {
    const { body } = await make('D1');
    expect((await cancel('D1')).body.status).toBe('CANCELLED');
    await pay(body.qrText, { times: 2 });
    expect((await request('D1')).body).toMatchObject({ status: 'CANCELLED', transfers: [{}, {}] });
  });

  test('makes cancelling impossible', async () => {
    await pay((await make('D1')).body.qrText);
    expect(await cancel('D1')).toMatchObject({ status: 409, body: { code: 'ALREADY_PAID' } });
  });
});

describe('a fault', () => {
  test('strikes the gateway it names and not the other', async () => {
    await env.control('faults', { party: 'ww', kind: 'outage' });
    expect((await make('D1')).status).toBe(503);
    expect((await env.gateway('zapman', '/payments', order('D1'))).status).toBe(200);
  });

  test.each(['wrong-signature', 'wrong-amount', 'duplicate', 'malformed', 'late', 'cut-after'])(
    '%s is known to callbacks',
    async (kind) => {
      const { status } = await env.control('faults', { party: 'ww', call: 'callback', kind });
      expect(status).toBe(200);
    },
  );
});

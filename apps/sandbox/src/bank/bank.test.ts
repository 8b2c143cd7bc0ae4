import { createHmac } from 'node:crypto';
import { encodeBillPayment, parseBillPayment } from '@krapao/contract/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, createQr, json, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
beforeEach(async () => {
  const { body } = await env.control('reset', { seed: 1 });
  expect(body.counts.persons).toBe(3);
  env.product.notices.length = 0;
  env.product.resCode = '00';
});
afterAll(() => env.stop());

const payout = (reference: string, more: object = {}) => ({
  reference,
  amount: '250.00',
  bankCode: 'KBANK',
  accountNo: '1234567890',
  accountName: 'สมหญิง ใจดี',
  ...more,
});

describe('token', () => {
  test('wrong keys get none, a missing, wrong or expired token opens nothing', async () => {
    const url = `${env.sandbox.url}/outside/bank-a/v1`;
    const wrong = await call(
      `${url}/oauth/token`,
      json({ applicationKey: 'sandbox-app', applicationSecret: 'x' }),
    );
    expect([wrong.status, wrong.body.status.code]).toEqual([401, 9500]);
    expect((await call(`${url}/payout/X`)).body.status.code).toBe(9300);
    await env.control('clock', { advanceMs: 1_801_000 });
    expect((await env.bank('/payout/X')).body.status.code).toBe(9300);
  });
});

describe('QR', () => {
  test('carries biller, references and amount as requested', async () => {
    const bill = parseBillPayment(await createQr(env, 'D1', '99.50'));
    expect(bill).toEqual({
      billerId: '010753600031501',
      reference1: 'D1',
      reference2: 'R2',
      amountMinor: 9950n,
    });
  });

  test.each([
    ['amount', { amount: '0' }],
    ['amount', { amount: '1.005' }],
    ['ref1', { ref1: 'lower' }],
    ['ppId', { ppId: '1' }],
  ])('a bad %s is refused with 1102', async (_what, wrong) => {
    const good = {
      qrType: 'PP',
      ppType: 'BILLERID',
      ppId: '010753600031501',
      amount: '1.00',
      ref1: 'A',
      ref2: '',
    };
    const { status, body } = await env.bank('/payment/qrcode/create', { ...good, ...wrong });
    expect([status, body.status.code]).toEqual([400, 1102]);
  });

  test('a bad shape, bad JSON and an unknown address answer in the bank’s own words', async () => {
    expect((await env.bank('/payment/qrcode/create', { qrType: 'PP' })).body.status.code).toBe(1102);
    const broken = {
      method: 'POST',
      headers: { ...env.bearer, 'content-type': 'application/json' },
      body: '{',
    };
    expect((await call(`${env.sandbox.url}/outside/bank-a/v1/payout`, broken)).status).toBe(400);
    expect((await env.bank('/nowhere')).body.status.code).toBe(4040);
  });
});

describe('payment', () => {
  test('moves the money, answers inquiries and is confirmed with a true signature', async () => {
    const payload = await createQr(env, 'D2');
    const paid = await env.control('pay-qr', { payload, phone: '0815550142' });
    const [payment] = paid.body.payments;
    await env.control('wait', { for: 'confirmation', reference: 'D2' });
    const [notice] = env.product.notices;
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(notice!.signature)!;
    expect(v1).toBe(
      createHmac('sha256', 'sandbox-webhook-secret').update(`${t}.${notice!.body}`).digest('hex'),
    );
    expect(notice!.json).toMatchObject({ amount: '500.00', billPaymentRef1: 'D2', sendingBankCode: '004' });
    const inquiry = await env.bank('/payment/billpayment/inquiry?billerId=010753600031501&reference1=D2');
    expect(inquiry.body.data).toHaveLength(1);
    expect((await env.bank(`/payment/transactions/${payment.transRef}`)).body.data.amount).toBe('500.00');
    expect((await env.bank('/payment/transactions/none')).status).toBe(404);
    const { body: books } = await env.control('books');
    expect(books.accounts.slice(0, 4).map((account: { balance: string }) => account.balance)).toEqual([
      '5000500.00',
      '49500.00',
      '50000.00',
      '50000.00',
    ]);
  });

  test('paying twice makes two payments with one reference', async () => {
    await env.control('pay-qr', { payload: await createQr(env, 'D3'), times: 2 });
    const inquiry = await env.bank('/payment/billpayment/inquiry?billerId=010753600031501&reference1=D3');
    expect(new Set(inquiry.body.data.map((payment: { transRef: string }) => payment.transRef)).size).toBe(2);
  });

  test('paying late waits for the virtual clock', async () => {
    const { body } = await env.control('pay-qr', { payload: await createQr(env, 'D4'), delayMs: 600_000 });
    expect(body.payments).toEqual([]);
    const wait = env.control('wait', { for: 'payment', reference: 'D4' });
    await env.control('clock', { advanceMs: 600_000 });
    expect((await wait).body.found).toBe(true);
  });

  test('a static QR needs an amount; unknown billers, poor payers and garbage are refused', async () => {
    const payload = encodeBillPayment({ billerId: '010753600031501', reference1: 'S' });
    const error = async (body: object) => (await env.control('pay-qr', body)).body.error;
    expect(await error({ payload })).toBe('AMOUNT_NEEDED');
    expect(await error({ payload, amount: '99999999.00' })).toBe('INSUFFICIENT_FUNDS');
    expect(await error({ payload, amount: '1.00', fromAccount: '999' })).toBe('UNKNOWN_ACCOUNT');
    expect(await error({ payload: 'x' })).toBe('UNREADABLE_QR');
    const otherBiller = encodeBillPayment({
      billerId: '099999999999999',
      reference1: 'S',
      amountMinor: 100n,
    });
    expect(await error({ payload: otherBiller })).toBe('UNKNOWN_BILLER');
    expect((await env.control('pay-qr', { payload, amount: 12.5 })).body.payments[0].amount).toBe('12.50');
  });

  test('a transfer reaches any plausible account and no other', async () => {
    const order = { phone: '0815550142', toBank: 'KBANK', toAccount: '111-222-3334', amount: '100.00' };
    expect((await env.control('transfer', order)).body.transRef).toMatch(/^\d{20}$/);
    expect((await env.control('transfer', { ...order, toAccount: '1234' })).body.error).toBe(
      'INVALID_ACCOUNT',
    );
    expect((await env.control('transfer', { ...order, toAccount: '1234567890' })).body.error).toBe(
      'SAME_ACCOUNT',
    );
  });
});

describe('confirmation', () => {
  test('repeats an interval apart until acknowledged, at most three times', async () => {
    await env.control('clock', { freeze: true });
    env.product.resCode = '99';
    await env.control('pay-qr', { payload: await createQr(env, 'C1') });
    const tries = async (count: number) => {
      for (let turn = 0; turn < 100 && env.product.notices.length < count; turn++)
        await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 30));
      return env.product.notices.length;
    };
    expect(await tries(1)).toBe(1);
    await env.control('clock', { advanceMs: 11_000 });
    expect(await tries(2)).toBe(1);
    await env.control('clock', { advanceMs: 1000 });
    expect(await tries(2)).toBe(2);
    env.product.resCode = '00';
    await env.control('clock', { advanceMs: 12_000 });
    expect(await tries(3)).toBe(3);
    await env.control('clock', { advanceMs: 60_000 });
    expect(await tries(4)).toBe(3);
    const { body } = await env.control('books');
    expect(body.payments[0].confirmation).toMatchObject({ acknowledged: true });
  });

  test('the interval is a setting', async () => {
    await env.control('settings', { confirmationIntervalMs: 20 });
    env.product.resCode = null;
    await env.control('pay-qr', { payload: await createQr(env, 'C2') });
    for (let turn = 0; turn < 1000 && env.product.notices.length < 3; turn++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(env.product.notices).toHaveLength(3);
  });

  test('can be sent again, or forged', async () => {
    await env.control('pay-qr', { payload: await createQr(env, 'C3') });
    await env.control('wait', { for: 'confirmation', reference: 'C3' });
    const truth = env.product.notices[0]!;
    const forge = async (body: object) => {
      const { body: result } = await env.control('confirm', { reference: 'C3', ...body });
      expect(result.status).toBe(200);
      return env.product.notices.at(-1)!;
    };
    expect((await forge({})).json).toEqual(truth.json);
    expect((await forge({ forge: 'changed-amount', amount: '1.00' })).json!.amount).toBe('1.00');
    const old = Number(/t=(\d+)/.exec((await forge({ forge: 'old-timestamp' })).signature)![1]);
    expect(Date.now() / 1000 - old).toBeGreaterThan(3590);
    const wrong = await forge({ forge: 'wrong-signature' });
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(wrong.signature)!;
    expect(v1).not.toBe(
      createHmac('sha256', 'sandbox-webhook-secret').update(`${t}.${wrong.body}`).digest('hex'),
    );
    expect((await env.control('confirm', { reference: 'none' })).status).toBe(404);
  });
});

describe('payout', () => {
  test('is accepted, then paid, once for each reference', async () => {
    await env.control('settings', { payoutDelayMs: 30 });
    const first = await env.bank('/payout', payout('P1'));
    expect(first.body.data).toMatchObject({ state: 'ACCEPTED', amount: '250.00' });
    await env.control('wait', { for: 'payout', reference: 'P1' });
    expect((await env.bank('/payout/P1')).body.data.state).toBe('PAID');
    const again = await env.bank('/payout', payout('P1'));
    expect(again.body.data).toMatchObject({ state: 'PAID', payoutId: first.body.data.payoutId });
    const other = await env.bank('/payout', payout('P1', { amount: '251.00' }));
    expect([other.status, other.body.status.code]).toEqual([409, 4090]);
    const { body } = await env.control('books');
    expect(body.accounts[1].balance).toBe('50250.00');
  });

  test('waits as long as the delay says on the virtual clock', async () => {
    await env.control('clock', { freeze: true });
    await env.bank('/payout', payout('P2'));
    await env.control('clock', { advanceMs: 1499 });
    expect((await env.bank('/payout/P2')).body.data.state).toBe('ACCEPTED');
    await env.control('clock', { advanceMs: 1 });
    expect((await env.bank('/payout/P2')).body.data.state).toBe('PAID');
  });

  test.each([
    ['too short a number', { accountNo: '123' }, 'INVALID_ACCOUNT'],
    ['an unknown bank', { bankCode: 'NOPE' }, 'INVALID_ACCOUNT'],
    ['one digit repeated', { accountNo: '1111111111' }, 'INVALID_ACCOUNT'],
    ['more than the account holds', { amount: '90000000.00' }, 'INSUFFICIENT_FUNDS'],
  ])('%s is rejected and moves nothing', async (_what, more, reason) => {
    await env.control('settings', { payoutDelayMs: 0 });
    await env.bank('/payout', payout('P3', more));
    await env.control('wait', { for: 'payout', reference: 'P3' });
    expect((await env.bank('/payout/P3')).body.data).toMatchObject({ state: 'REJECTED', reason });
    expect((await env.control('books')).body.accounts[0].balance).toBe('5000000.00');
  });

  test('in manual mode waits for the bank’s back office page', async () => {
    await env.control('settings', { payoutMode: 'manual', payoutDelayMs: 0 });
    await env.bank('/payout', payout('P4'));
    await env.bank('/payout', payout('P5'));
    expect((await env.control('payout', { reference: 'P4', state: 'PAID' })).body.state).toBe('PAID');
    const no = await env.control('payout', { reference: 'P5', state: 'REJECTED', reason: 'CLOSED' });
    expect(no.body).toMatchObject({ state: 'REJECTED', reason: 'CLOSED' });
    expect((await env.control('payout', { reference: 'P5', state: 'PAID' })).status).toBe(404);
  });

  test('an unknown reference is 404 with 4040', async () => {
    const { status, body } = await env.bank('/payout/NEVER');
    expect([status, body.status.code]).toEqual([404, 4040]);
  });
});

/** Statements of a span of time, and lines that are wrong on purpose. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createQr, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const span = () => {
  const now = Date.now();
  const at = (ms: number) => encodeURIComponent(new Date(now + ms).toISOString());
  return `from=${at(-60_000)}&to=${at(60_000)}`;
};
const statement = async () =>
  (await env.bank(`/account/statement?billerId=010753600031501&${span()}`)).body.data;

test('the statement of the biller’s account has what came in and what was paid out', async () => {
  const payload = await createQr(env, 'STATEMENT1', '120.00');
  await env.control('pay-qr', { payload });
  await env.bank('/payout', {
    reference: 'PAYOUT1',
    amount: '50.00',
    bankCode: 'SCB',
    accountNo: '9998887776',
    accountName: 'A',
  });
  await env.control('wait', { for: 'payout', reference: 'PAYOUT1' });
  const { lines, next } = await statement();
  expect(next).toBeNull();
  expect(lines).toMatchObject([
    { type: 'CREDIT', amount: '120.00', reference: 'STATEMENT1' },
    { type: 'DEBIT', amount: '50.00', reference: 'PAYOUT1' },
  ]);
  expect((await env.bank(`/account/statement?billerId=1&${span()}`)).status).toBe(400);
});

test('a line shows another amount, or is left out, until it is restored', async () => {
  const before = (await statement()).lines;
  const reference = before[0].transRef;
  await env.control('misprint', { party: 'bank-a', reference, amount: 1 });
  expect((await statement()).lines[0]).toEqual({ ...before[0], amount: '1.00' });
  await env.control('misprint', { party: 'bank-a', reference });
  expect((await statement()).lines).toEqual(before.slice(1));
  await env.control('misprint', { party: 'bank-a', reference, restore: true });
  expect((await statement()).lines).toEqual(before);
});

test('gateways and the gift wallet report what they received, and reject a caller without the key', async () => {
  const made = await env.gateway('ww', '/payments', {
    reference: 'WWREF1',
    amount: '100.00',
    currency: 'THB',
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    callbackUrl: `${env.product.url}/hooks`,
  });
  await env.control('pay-qr', { payload: made.body.qrText });
  const reported = await env.gateway('ww', `/transfers?${span()}`);
  expect(reported.body).toMatchObject({ transfers: [{ reference: 'WWREF1', amount: '100.00' }], next: null });
  expect((await env.gateway('ww', `/transfers?${span()}`, undefined, 'wrong')).status).toBe(401);
  expect((await env.gateway('zapman', `/transfers?${span()}`)).body.transfers).toEqual([]);

  const { code } = (await env.control('vouchers', { amount: 50 })).body;
  const gift = `${env.sandbox.url}/outside/gift/campaign`;
  await call(`${gift}/vouchers/${code}/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: '0815550199', voucher_hash: code }),
  });
  const taken = await call(`${gift}/redeemed?mobile=0815550199&${span()}`);
  expect(taken.body.data).toMatchObject({ redeemed: [{ voucher: code, amount_baht: '50.00' }], next: null });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, json, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
beforeEach(async () => {
  await env.control('reset', { seed: 1 });
});
afterAll(() => env.stop());

const COMPANY = '0815550199';
const base = () => `${env.sandbox.url}/outside/gift/campaign/vouchers`;
const make = async (order: object) => (await env.control('vouchers', order)).body;
const look = (code: string, mobile = COMPANY) => call(`${base()}/${code}/verify?mobile=${mobile}`);
const redeem = (code: string, mobile = COMPANY) =>
  call(`${base()}/${code}/redeem`, json({ mobile, voucher_hash: code }));

describe('an envelope', () => {
  test('is looked at without being spent, taken once, and then says so with the ticket', async () => {
    const { code, link } = await make({ amount: 50 });
    expect(link).toBe(`https://gift.truemoney.com/campaign/?v=${code}`);
    const seen = await look(code);
    expect(seen.body).toMatchObject({
      status: { code: 'SUCCESS' },
      data: { voucher: { amount_baht: '50.00', available: 1, status: 'active' }, my_ticket: null },
    });
    const taken = await redeem(code);
    expect(taken.body.data.my_ticket).toMatchObject({ mobile: COMPANY, amount_baht: '50.00' });
    for (const again of [await redeem(code), await look(code)])
      expect(again).toMatchObject({
        status: 400,
        body: { status: { code: 'TARGET_USER_REDEEMED' }, data: { my_ticket: { amount_baht: '50.00' } } },
      });
    expect((await redeem(code, '0815550167')).body.status.code).toBe('VOUCHER_OUT_OF_STOCK');
  });

  test.each(['F', 'R'])('of kind %s for three is shared out to the last satang', async (kind) => {
    const { code } = await make({ amount: '100.00', receivers: 3, kind });
    const amounts: number[] = [];
    for (const mobile of [COMPANY, '0815550167', '02055550142'])
      amounts.push(Number((await redeem(code, mobile)).body.data.my_ticket.amount_baht));
    expect(Math.round(amounts.reduce((sum, one) => sum + one, 0) * 100)).toBe(10_000);
    expect(Math.min(...amounts)).toBeGreaterThan(0);
    if (kind === 'F') expect(amounts).toEqual([33.34, 33.33, 33.33]);
  });

  test('of random parts has enough for a hundred', async () => {
    const { code } = await make({ amount: 1, receivers: 100, kind: 'R' });
    expect((await redeem(code)).body.data.my_ticket.amount_baht).toBe('0.01');
  });

  test('cannot be redeemed by its owner, without a phone, after its expiry, or when it does not exist', async () => {
    const { code } = await make({ amount: 50, phone: '0815550142', validMs: 60_000 });
    expect((await redeem(code, '0815550142')).body.status.code).toBe('CANNOT_GET_OWN_VOUCHER');
    expect((await redeem(code, '0899999999')).body.status.code).toBe('TARGET_USER_NOT_FOUND');
    expect((await redeem(code, 'x')).body.status.code).toBe('BAD_PARAM');
    expect((await redeem('0'.repeat(35))).body).toMatchObject({
      status: { code: 'VOUCHER_NOT_FOUND' },
      data: null,
    });
    await env.control('clock', { advanceMs: 61_000 });
    expect((await look(code)).body.status.code).toBe('VOUCHER_EXPIRED');
  });

  test('is in the books with each wallet’s share', async () => {
    const { code } = await make({ amount: 50 });
    await redeem(code);
    const { body } = await env.control('books');
    expect(body.vouchers).toMatchObject([
      { code, amount: '50.00', tickets: [{ phone: COMPANY, amount: '50.00' }] },
    ]);
  });
});

test.each([
  ['refuse', 400, 'VOUCHER_OUT_OF_STOCK'],
  ['429', 429, 'TOO_MANY_REQUESTS'],
  ['500', 500, 'INTERNAL_ERROR'],
  ['outage', 503, 'UNAVAILABLE'],
])('a fault of kind %s takes nothing', async (kind, status, expected) => {
  const { code } = await make({ amount: 50 });
  await env.control('faults', { party: 'gift', call: 'redeem', kind, count: 1 });
  expect(await redeem(code)).toMatchObject({ status, body: { status: { code: expected } } });
  expect((await redeem(code)).body.status.code).toBe('SUCCESS');
});

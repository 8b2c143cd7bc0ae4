import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { giftEnvelopes } from './envelopes.ts';

/** A gift service that says whatever a test puts into its mouth; oddities no sandbox would make up. */
const mouth = { status: 200, text: '' };
const received: { method: string; url: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ method: request.method!, url: request.url!, body });
  response.writeHead(mouth.status, { 'content-type': 'text/html', location: 'http://127.0.0.1:1/' });
  response.end(mouth.text);
});
await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
afterAll(() => server.close());

const MOBILE = '0810000001';
const wallet = giftEnvelopes({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  mobile: MOBILE,
  name: 'KRAPAO',
  timeoutMs: () => 1000,
});

const ticket = (more: object = {}) => ({
  mobile: MOBILE,
  update_date: 1,
  amount_baht: '50.00',
  full_name: 'K',
  ...more,
});
const voucher = (more: object = {}) => ({
  voucher_id: 'v',
  amount_baht: '50.00',
  redeemed_amount_baht: '0.00',
  member: 1,
  status: 'active',
  link: '',
  detail: '',
  expire_date: 1,
  type: 'F',
  redeemed: 0,
  available: 1,
  ...more,
});
const reply = (code: string, data: object | null = {}) => ({
  status: { code, message: '' },
  data: data && {
    voucher: voucher(),
    owner_profile: { full_name: 'o' },
    redeemer_profile: null,
    my_ticket: null,
    tickets: [],
    ...data,
  },
});
function says(status: number, body: unknown): void {
  mouth.status = status;
  mouth.text = typeof body === 'string' ? body : JSON.stringify(body);
}
const UNKNOWN = { outcome: 'unknown' };

describe('taking', () => {
  test('calls the fixed address with the code as one segment of the path, for any code', async () => {
    says(200, reply('SUCCESS', { my_ticket: ticket() }));
    await wallet.redeem('a-b_C');
    await wallet.look('x/../y');
    expect(received.slice(-2)).toEqual([
      {
        method: 'POST',
        url: '/campaign/vouchers/a-b_C/redeem',
        body: JSON.stringify({ mobile: MOBILE, voucher_hash: 'a-b_C' }),
      },
      { method: 'GET', url: `/campaign/vouchers/x%2F..%2Fy/verify?mobile=${MOBILE}`, body: '' },
    ]);
  });

  test('counts our ticket, not the envelope nor what all have taken', async () => {
    const shared = voucher({ amount_baht: '1000.00', redeemed_amount_baht: '900.00', member: 10 });
    says(200, reply('SUCCESS', { voucher: shared, my_ticket: ticket({ amount_baht: '33.33' }) }));
    expect(await wallet.redeem('c')).toEqual({ outcome: 'ok', value: { state: 'OURS', amountMinor: 3333n } });
  });

  test.each([
    ['success without a ticket', 200, reply('SUCCESS')],
    ['success for somebody else', 200, reply('SUCCESS', { my_ticket: ticket({ mobile: '0899999999' }) })],
    [
      'a ticket larger than the envelope',
      200,
      reply('SUCCESS', { my_ticket: ticket({ amount_baht: '50.01' }) }),
    ],
    ['a ticket of nothing', 200, reply('SUCCESS', { my_ticket: ticket({ amount_baht: '0.00' }) })],
    ['a ticket of no number', 200, reply('SUCCESS', { my_ticket: ticket({ amount_baht: '1e3' }) })],
    ['taken before, without the ticket', 400, reply('TARGET_USER_REDEEMED')],
    ['taken before, without data', 400, reply('TARGET_USER_REDEEMED', null)],
    ['an error inside', 400, reply('INTERNAL_ERROR', null)],
    ['an unknown code', 400, reply('SOMETHING_NEW', null)],
    ['a challenge page', 403, '<html>Are you human?</html>'],
    ['a page with status 200', 200, '<html></html>'],
    ['a redirect', 302, ''],
    ['too many', 429, reply('VOUCHER_OUT_OF_STOCK', null)],
    ['an answer of another shape', 200, { ok: true }],
    ['nothing at all', 200, ''],
  ])('%s says nothing', async (_what, status, body) => {
    says(status, body);
    expect(await wallet.redeem('c')).toMatchObject(UNKNOWN);
  });
});

describe('looking', () => {
  test.each([
    ['F', 3, '100.00', '0.00', 3333n],
    ['F', 1, '2.00', '0.00', 200n],
    ['R', 5, '100.00', '60.00', 4000n],
  ])(
    'an open voucher of kind %s for %i is worth our part, or what is left',
    async (type, member, whole, gone, part) => {
      const one = voucher({ type, member, amount_baht: whole, redeemed_amount_baht: gone });
      says(200, reply('SUCCESS', { voucher: one }));
      expect(await wallet.look('c')).toEqual({ outcome: 'ok', value: { state: 'OPEN', partMinor: part } });
    },
  );

  test('finds our ticket in the list when it is nowhere else', async () => {
    says(400, reply('VOUCHER_EXPIRED', { tickets: [ticket({ mobile: '0899999999' }), ticket()] }));
    expect(await wallet.look('c')).toMatchObject({ value: { state: 'OURS', amountMinor: 5000n } });
  });

  test.each([
    [
      'the list is complete',
      { voucher: voucher({ redeemed: 1 }), tickets: [ticket({ mobile: '0899999999' })] },
      true,
    ],
    [
      'somebody is missing in it',
      { voucher: voucher({ redeemed: 2 }), tickets: [ticket({ mobile: '0899999999' })] },
      false,
    ],
    [
      'its numbers are masked',
      { voucher: voucher({ redeemed: 1 }), tickets: [ticket({ mobile: '081-xxx-0001' })] },
      false,
    ],
    ['there is none', null, false],
  ])('a closed voucher is proof when %s', async (_when, data, isProven) => {
    says(400, reply('VOUCHER_OUT_OF_STOCK', data));
    expect(await wallet.look('c')).toEqual({
      outcome: 'ok',
      value: { state: 'CLOSED', reason: 'VOUCHER_OUT_OF_STOCK', isProven },
    });
  });
});

import { type CallDeclaration, ERROR_CODES } from '@krapao/contract/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person } from '../features/registration/testing-people.ts';
import { contents } from '../features/testing.ts';
import { type ApiResponse, startTestEnv } from '../testing/test-env.ts';
import { CALLS, methodsOf, pathOf } from './testing-calls.ts';

const env = await startTestEnv({ jobs: false });
const member = await env.member({ amountMinor: 100_000n });
await env.call('GET', '/api/wallet/activate/betflix', undefined, { token: member.token });
// What a caller without limits could do is the question here.
for (const key of ['otp.addressHourMax', 'register.addressHourMax', 'login.failuresMax'] as const)
  await env.set(key, 1_000_000);

let before: Record<string, string>;
beforeAll(async () => {
  before = await contents(env.owner);
});
afterAll(async () => {
  expect(await contents(env.owner)).toEqual(before);
});

const all = Object.entries(CALLS);
const withBody = all.filter(([, call]) => call.body);
const withParams = all.filter(([, call]) => call.params);
const ofMembers = all.filter(([, call]) => call.access === 'member');

/** A 4xx with a code of the catalogue, and nothing in it that tells of the inside. */
function expectRefused(what: string, response: ApiResponse): void {
  expect([what, response.status]).toEqual([
    what,
    expect.toSatisfy((status) => status >= 400 && status < 500),
  ]);
  expect(ERROR_CODES, `${what}: ${JSON.stringify(response.body)}`).toContain(response.body.message);
  expect(Object.keys(response.body).filter((field) => field !== 'message' && field !== 'data')).toEqual([]);
  expect(JSON.stringify(response.body)).not.toMatch(/node_modules|\.ts:|\bat [A-Z]|select |syntax|postgres/i);
}

const send = (call: CallDeclaration, body: unknown, headers: Record<string, string> = {}) =>
  env.call(call.method, pathOf(call, { bankCode: 'KBANK', slotCode: 'betflix' }), body, {
    token: member.token,
    headers,
  });

/** A body that fits the call's shape. Nothing here may succeed, so amounts and names are ones that lead nowhere. */
const FITTING: Record<string, Record<string, unknown>> = {
  validateRegistration: person(),
  register: person({ username: '1' }),
  changePassword: { oldPassword: 'wrong', newPassword: 'new' },
  closeAccount: { password: 'wrong' },
  setPin: { password: 'wrong', pin: '1' },
  removePin: { password: 'wrong' },
  provePin: { pin: '1' },
  changeProfile: { name: 'x', bankCode: 'NONE', bankAccountName: 'x', bankAccountNo: '1' },
  correctAccountName: { bankCode: 'NONE', bankAccountName: 'x' },
  sendOtp: { phoneNumber: '1' },
  verifyOtp: { otpToken: 'x', otpCode: '1' },
  sendPasswordCode: { phoneNumber: '1' },
  verifyPasswordCode: { otpToken: 'x', otpCode: '1' },
  resetPassword: { otpToken: 'x', newPassword: 'new' },
  setLimit: { kind: 'deposit', period: 'day', amount: 0 },
  startExclusion: { length: 'none' },
  login: { username: 'nobody', password: 'x' },
  createQr: { amount: 0 },
  transfer: { from: 'wallet', to: 'nowhere', amount: 10 },
  transferAll: { to: 'nowhere' },
  withdrawFromWallet: { amount: 1 },
  withdrawAll: { amount: 1 },
  listInvites: { page: 1, limit: 10 },
  listRefunds: { page: 1, limit: 10 },
  listStatements: { page: 1, limit: 10 },
  listNotifications: { page: 1, limit: 10 },
  readNotifications: { upTo: '0' },
  setPush: { kinds: { money: true, bonus: true, chat: true, login: true }, hidesAmounts: false },
  subscribePush: {
    endpoint: 'https://nowhere.example/push',
    keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
    language: 'th',
  },
  listSlips: { page: 1, limit: 10 },
  truelink: { link: 'https://gift.truemoney.com/campaign/?v=none' },
  reportPayment: { amount: 0 },
  redeemCoupon: { coupon: 'none' },
  sendChatMessage: { message: { message_type: 'text', payload: { message: ' ' } } },
  listChatHistory: { limit: 10, skip: 0, guestId: 'short' },
  readChat: { guestId: 'short' },
  countUnreadChat: { guestId: 'short' },
};

const NO_TEXT: unknown[] = [null, 7, 1.5, true, [], ['x'], {}, { toString: 'x' }];
const NO_NUMBER: unknown[] = [null, '1', true, [], [1], {}, { valueOf: 1 }, 1.0001, -1, 0, 1e308];

describe.each(withBody)('%s', (name, call) => {
  test('refuses bodies of another shape', async () => {
    const fitting = FITTING[name]!;
    const { required = [] } = call.body as unknown as { required?: string[] };
    const bodies = [
      null,
      true,
      7,
      '"text"',
      [],
      [fitting],
      ...(required.length > 0 ? [{}] : []),
      { ...fitting, isActive: true },
      { ...fitting, role: 'admin' },
      { ...fitting, coin: 9 },
      `{"__proto__":{"isAdmin":true},${JSON.stringify(fitting).slice(1)}`,
      `{"constructor":{"prototype":{}},${JSON.stringify(fitting).slice(1)}`,
      ...required.map((field) => ({ ...fitting, [field]: undefined })),
    ];
    for (const body of bodies)
      expectRefused(`${name} ${JSON.stringify(body)}`, await send(call, body === null ? 'null' : body));
  });

  test('refuses every field of a wrong type, with NUL in it, or endless', async () => {
    const { properties } = call.body as unknown as {
      properties: Record<string, { type?: string; pattern?: string; anyOf?: { type?: string }[] }>;
    };
    for (const [field, schema] of Object.entries(properties)) {
      const isNumber = schema.type === 'integer' || field === 'amount';
      const hostile = [...(isNumber ? NO_NUMBER : [...NO_TEXT, 'x'.repeat(5_000)])];
      if (schema.pattern) hostile.push('\u0000', 'a\u0000b');
      // Half a surrogate pair is no text that a database can hold.
      if (!isNumber) hostile.push('\ud800');
      const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
      const isFitting = (one: unknown) =>
        (one === null && isNullable) || (one === true && schema.type === 'boolean');
      for (const value of hostile.filter((one) => !isFitting(one)))
        expectRefused(
          `${name}.${field} = ${JSON.stringify(value)?.slice(0, 60)}`,
          await send(call, { ...FITTING[name], [field]: value }),
        );
    }
  });

  test('refuses what is no JSON, too deep, too long, or of another content type', async () => {
    const fitting = JSON.stringify(FITTING[name]);
    const broken = [
      '{',
      '',
      '{"a":',
      "{'a':1}",
      '{"a":NaN}',
      '\u0000',
      `${fitting}x`,
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`,
    ];
    for (const body of broken) expectRefused(`${name} ${body.slice(0, 40)}`, await send(call, body));
    expectRefused(`${name} as text`, await send(call, fitting, { 'content-type': 'text/plain' }));
    const long = await send(call, JSON.stringify({ ...FITTING[name], padding: 'x'.repeat(200_000) }));
    expectRefused(`${name} 200 KB`, long);
    expect(long.status).toBe(413);
    // Deep enough for a recursive function to fail, and short enough to be read.
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    for (const field of Object.keys((call.body as unknown as { properties: object }).properties)) {
      const body = JSON.stringify({ ...FITTING[name], [field]: 'DEEP' }).replace('"DEEP"', deep);
      expectRefused(`${name}.${field} too deep`, await send(call, body));
    }
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/json5',
    ]) {
      const response = await send(call, fitting, { 'content-type': type });
      expectRefused(`${name} as ${type}`, response);
      expect(response.status).toBe(415);
    }
  });
});

describe.each(withParams)('%s', (name, call) => {
  const hostile = [
    "' or '1'='1",
    "'; drop table member; --",
    '../../../etc/passwd',
    '..\\..\\secret',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '\u0000',
    'betflix\u0000',
    '{{7*7}}',
    '<script>alert(1)</script>',
    'ก'.repeat(39),
    'x'.repeat(99),
    '.',
    '*',
    '?',
    '#',
    '%',
    ' ',
    '\r\nx: y',
    '100002',
    'null',
    '-1',
    '😀',
  ];

  test('refuses params that are SQL, paths, prototypes, NUL or endless', async () => {
    const { properties } = call.params as unknown as { properties: Record<string, object> };
    for (const param of Object.keys(properties))
      for (const value of hostile)
        for (const method of methodsOf(call)) {
          const body = method === 'POST' && call.body ? FITTING[name] : undefined;
          const response = await env.call(method, pathOf(call, { [param]: value }), body, {
            token: member.token,
          });
          expectRefused(`${method} ${name} ${param}=${value.slice(0, 40)}`, response);
        }
  });
});

describe.each(ofMembers)('%s', (name, call) => {
  test('is closed without a member’s token, whatever else is sent', async () => {
    const path = pathOf(call);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${'A'.repeat(43)}`,
      `Token ${member.token}`,
      member.token,
      `Bearer ${member.token}x`,
    ])
      for (const body of call.body ? [FITTING[name], '{'] : [undefined]) {
        const response = await env.call(call.method, path, body, { headers: { authorization } });
        expect([name, response.status, response.body]).toEqual([name, 401, { message: 'invalid-token' }]);
      }
    expect(
      (await env.call(call.method, `${path}?token=${member.token}`, call.body ? FITTING[name] : undefined))
        .status,
    ).toBe(401);
  });
});

test('idempotency keys out of form are refused, and foreign ones are only keys', async () => {
  for (const key of [
    'x',
    ' '.repeat(10),
    'x'.repeat(129),
    "' or 1=1 --",
    '../../../../x',
    '\u00e9'.repeat(10),
  ]) {
    const response = await env.call('POST', '/api/wallet/transfer', FITTING.transfer, {
      token: member.token,
      headers: { 'idempotency-key': key },
    });
    expectRefused(`key ${key}`, response);
  }
});

test.each([
  '/api/qrcode/%00',
  '/api/%2e%2e/%2e%2e/etc/passwd',
  '/api//wallet',
  '/api/wallet/',
  '/API/WALLET',
  '//evil.example/api',
])('an address like %s is refused', async (path) => {
  expectRefused(path, await env.call('GET', path, undefined, { token: member.token }));
});

test.each(['PATCH', 'PUT', 'DELETE', 'OPTIONS'])(
  'a method that is not declared (%s) is refused',
  async (method) => {
    for (const [name, call] of all)
      if (
        call.method !== method &&
        !all.some(([, other]) => other.path === call.path && other.method === method)
      )
        expectRefused(
          `${method} ${name}`,
          await env.call(method, pathOf(call), undefined, { token: member.token }),
        );
  },
);

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MINUTE_MS } from '@krapao/contract/durations';
import { ERROR_CODES, OPERATOR_CODES } from '@krapao/contract/shared';
import { describe, expect, test } from 'vitest';
import { bonusHelpers } from '../features/bonuses/testing-bonuses.ts';
import { chatHelpers } from '../features/chat/testing-chat.ts';
import { madeFilm } from '../features/content/testing-files.ts';
import { slipHelpers } from '../features/deposits/slips/testing-slips.ts';
import { gameHelpers } from '../features/games/testing-games.ts';
import { inviteHelpers } from '../features/invites/testing-invites.ts';
import { refundHelpers } from '../features/refunds/testing-refunds.ts';
import { PROXY, peopleHelpers, person } from '../features/registration/testing-people.ts';
import { pass, pushedClock } from '../features/testing.ts';
import { wheelHelpers } from '../features/wheel/testing-wheel.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { type ApiResponse, startTestEnv, type TestMember } from '../testing/test-env.ts';

const clock = pushedClock();
const env = await startTestEnv({
  jobs: false,
  clock,
  environment: { ...PROXY, CONSOLE_ADDRESSES: '127.0.0.1' },
});
const operators = operatorHelpers(env);
const { send, verify, codeOn, register, validate } = peopleHelpers(env);
const { make, upload } = slipHelpers(env);
const { get, open, transfer } = gameHelpers(env);
const bonuses = bonusHelpers(env);
const invites = inviteHelpers(env);
const refunds = refundHelpers(env);
const wheel = wheelHelpers(env);
await Promise.all([
  env.set('register.otp', false),
  env.set('otp.addressHourMax', 1000),
  env.set('register.addressHourMax', 1000),
]);

type Reply = Pick<ApiResponse, 'body'>;
const later = (minutes: number) => pass(env, clock, minutes * MINUTE_MS);
const chatFile = (name: string, bytes: number) => chatHelpers(env).upload(name, Buffer.alloc(bytes, 7));
const request = (member: TestMember, method: string, address: string, body?: unknown, key?: string) =>
  env.call(method, address, body, { token: member.token, ...(key ? { key } : {}) });
const bare = async (headers: Record<string, string>): Promise<Reply> => {
  const reply = await fetch(`${env.url}/api/lookup/info`, { headers });
  return { body: await reply.json() };
};

let number = 0;
const phone = () => `0870${String(++number).padStart(6, '0')}`;

/** A code that was sent, its token and its digits. */
async function sent() {
  const mine = phone();
  const { body } = await send(mine);
  return { phone: mine, token: body.otpToken as string, digits: await codeOn(mine) };
}

/** A member with 1,000.00 and this game opened. */
async function player(game = 'betflix') {
  const member = await env.member({ amountMinor: 100_000n });
  await open(member, game);
  return member;
}

/** While a setting differs. */
async function during<T>(key: Parameters<typeof env.set>[0], value: unknown, work: () => Promise<T>) {
  const usual = env.app.deps.settings.get(key);
  await env.set(key, value);
  try {
    return await work();
  } finally {
    await env.set(key, usual);
  }
}

/** Two windows for the whole day: the end of a window lies outside it. */
const ALL_DAY = [
  { from: '00:00', to: '12:00' },
  { from: '12:00', to: '00:00' },
];

/** Returns the response to a slip of this kind. */
async function slip(kind: string): Promise<Reply> {
  const member = await env.member();
  return upload(member, (await make(member, { kind })).bytes);
}

/** Returns the response to a slip for which the checker returns this number. */
async function checked(code: number): Promise<Reply> {
  const member = await env.member();
  const { bytes, transRef } = await make(member);
  await env.fault({ party: 'slip', kind: 'refuse', code, reference: transRef, count: 1 });
  return upload(member, bytes);
}

/** What a game's log-in says after the provider refused. */
async function launch(game: string, fault?: Record<string, unknown>): Promise<Reply> {
  const member = await player(game);
  if (fault) await env.fault({ party: 'game-f', call: 'play', count: 1, kind: 'refuse', ...fault });
  return get(member, `/api/autoLogin/${game}/kp${member.id}`);
}

/** Returns the response to the member after an action on the session or the member. */
async function after(sql: string): Promise<Reply> {
  const member = await env.member();
  await env.owner.query(sql, [member.id]);
  return get(member, '/api/wallet');
}

const gift = async (amount: number): Promise<string> =>
  (await env.control('vouchers', { amount, phone: '0815550142' })).link;

/** A member with a bonus under way. */
async function runner(change: Record<string, unknown> = {}) {
  const member = await player();
  await bonuses.deposit(member, 100);
  await bonuses.activate(member, await bonuses.offer(change));
  return member;
}

/** A promotion of 1.00 without conditions. */
const promotion = (change: Record<string, unknown> = {}) =>
  bonuses.offer({
    kind: 'promotion',
    award: 'fixed',
    award_amount: 100n,
    deposit_min: null,
    success_percent: 0,
    max_received: 1,
    ...change,
  });
/** A member whom a friend has earned 5.00. */
async function inviter() {
  const member = await env.member();
  await invites.earner(member, 100);
  return member;
}

/** Redeems this many coupons of one prize and returns the last response, in a member's hands for so many days. */
async function redeemed(count: number, { days = 1, withdrawn = false } = {}): Promise<Reply> {
  const [member, prize] = [await env.member(), await wheel.prize({ kind: 'CASH', value: 100n })];
  const coupon = await wheel.giveCoupon(member, prize, days);
  if (withdrawn) await env.owner.query('update prize set withdrawn_at = now() where id = $1', [prize]);
  for (let time = 1; time < count; time++) await wheel.redeem(member, coupon);
  return wheel.redeem(member, coupon);
}

/** A member who has lost 200.00. */
async function loser() {
  const member = await player();
  await transfer(member, 'wallet', 'betflix', 200);
  await env.control('play', {
    agent: 'betflix',
    username: `kp${member.id}`,
    stake: 200,
    rounds: 1,
    result: 'lose',
  });
  return member;
}

/** How each code is brought about over HTTP. */
const WAYS: Record<string, () => Promise<Reply>> = {
  UNAUTHORIZED: async () =>
    get(await env.member(), '/api/wallet/activate/imi', { 'sec-fetch-site': 'cross-site' }),
  EXPIRED_AUTH_TOKEN: async () => {
    const operator = await operators.operator('support');
    await operators.call(operator, 'POST', '/api/operator/logout');
    return operators.call(operator, 'GET', '/api/operator/me');
  },
  INVALID_IP: () =>
    operators.call(null, 'GET', '/api/operator/me', undefined, { 'x-forwarded-for': '203.0.113.9' }),
  INVALID_USER_1: async () => {
    await env.owner.query('alter table session drop constraint session_member_id_fkey');
    return after('update session set member_id = -1 where member_id = $1');
  },
  INVALID_USER_2: async () => {
    const member = await env.member();
    await request(member, 'POST', '/api/logout');
    return get(member, '/api/wallet');
  },
  INVALID_USER_3: async () => {
    const { cookie } = await operators.operator('support');
    return env.call('GET', '/api/wallet', undefined, { token: cookie.split(';')[0]!.split('=')[1]! });
  },
  INVALID_USER_4: () =>
    after("update session set ended_at = now(), ended_by = 'password' where member_id = $1"),
  'invalid-token': () => env.call('GET', '/api/wallet'),
  gone: () => after("update member set status = 'CLOSED' where id = $1"),
  INACTIVE_USER: () => after("update member set status = 'SUSPENDED' where id = $1"),
  INVALID_USER_INFO: () => validate(person({ name: '<>' })),
  NO_USER: async () => get(await player(), '/api/autoLogin/betflix/nobody'),
  WRONG_PASSWORD: async () => {
    const { username, password } = person();
    await register(person({ username, password }));
    const { token } = (await env.call('POST', '/api/login', { username, password })).body;
    const intent = { oldPassword: 'wrong', newPassword: 'y' };
    return env.call('PUT', '/api/account/changepwd', intent, { token });
  },
  WEAK_PASSWORD: () => during('password.strong', true, () => validate(person({ password: 'password' }))),
  WRONG_CREDENTIAL: () => env.call('POST', '/api/login', { username: 'nobody', password: 'x' }),
  LOGIN_FAIL: () => launch('betflix', {}),
  NOT_AREASLOT: () => launch('areaslot', { code: 1002 }),
  NOT_UFABET: async () => {
    await env.owner.query("update slot set unknown_user_code = 'NOT_UFABET' where code = 'usun'");
    return launch('usun', { code: 1002 });
  },
  PROVIDER_UNAVAILABLE: () => launch('betflix', { kind: 'outage' }),
  GAME_ACTIVATION_FAIL: async () => {
    await env.fault({ party: 'game-f', call: 'register', kind: 'outage', count: 1 });
    return open(await env.member(), 'betflix');
  },
  SLOT_ALREADY_ACTIVE: async () => open(await player(), 'betflix'),
  SLOT_ACTIVATE_FAIL: async () => {
    await env.fault({ party: 'game-f', call: 'register', kind: 'refuse', count: 1 });
    return open(await env.member(), 'betflix');
  },
  SLOT_NO_ACCOUNT: async () => get(await env.member(), '/api/wallet/account/betflix'),
  SLOT_RESET_PASSWORD_FAIL: async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'password', kind: 'refuse', count: 1 });
    return get(member, '/api/wallet/resetpassword/betflix');
  },
  NO_GAME: async () => open(await env.member(), 'nothing'),

  OTP_BLOCK: async () => {
    const { token } = await sent();
    for (let time = 0; time < 5; time++) await verify(token, 'abcdef');
    return verify(token, 'abcdef');
  },
  REQUEST_LIMIT: () =>
    during('register.addressHourMax', 1, async () => {
      await validate(person(), '192.0.2.200');
      return validate(person(), '192.0.2.200');
    }),
  REQUEST_LIMIT_1MIN: async () => send((await sent()).phone),
  OTP_TOKEN_INVALID: () => verify('x', '123456'),
  OTP_VERIFY_FAIL: async () => {
    const { token, digits } = await sent();
    // A fault of ours in the middle of it.
    await env.owner.query('alter table otp rename column verified_at to moved');
    const results = await verify(token, digits);
    await env.owner.query('alter table otp rename column moved to verified_at');
    return results;
  },
  OTP_NOT_EXIST: () => verify('a'.repeat(43), '123456'),
  OTP_VERIFIED: async () => {
    const { phone, token, digits } = await sent();
    await verify(token, digits);
    return send(phone);
  },
  OTP_EXPIRED: async () => {
    const { token, digits } = await sent();
    await later(5);
    return verify(token, digits);
  },
  OTP_CODE_INVALID: async () => verify((await sent()).token, 'abcdef'),
  OTP_CODE_VALID: async () => {
    const { token, digits } = await sent();
    return verify(token, digits);
  },
  OTP_SEND_FAIL: async () => {
    await env.fault({ party: 'sms', call: 'send', kind: 'refuse', count: 1 });
    return send(phone());
  },
  UNVERIFIED_OTP: () => during('register.otp', true, () => register(person())),
  EXISTING_USER: async () => validate(person({ username: (await env.member()).phone })),
  EXISTING_BANK: async () => {
    const { accountNo } = await env.member();
    return validate(person({ bankAccountNo: accountNo }));
  },
  INVALID_BANK: () => validate(person({ bankCode: 'NONE' })),
  BANK_ACCOUNT_NAME_ENG: () => validate(person({ bankCode: 'KTB' })),
  REGISTER_FAIL: () => during('register.open', false, () => register(person())),
  PHONE_NUMBER_REQUIRE_10_DIGIT: () => validate(person({ username: '081234567' })),

  INTERNAL_SERVER_ERROR: async () => {
    await env.owner.query('alter table source rename to source_away');
    const response = await env.call('GET', '/api/lookup/sources');
    await env.owner.query('alter table source_away rename to source');
    return response;
  },
  KEY_MISSING: () => during('marker.strict', true, () => bare({})),
  KEY_INVALID: () => during('marker.strict', true, () => bare({ 'x-requested-with': 'XMLHttpRequest' })),
  OK: async () => request(await env.member(), 'POST', '/api/logout'),
  SUCCESS: () => send(phone()),
  NO_DATA: () => env.call('GET', '/api/nothing'),
  INVALID_REQUEST: () => env.call('POST', '/api/login', {}),
  IDEMPOTENCY_CONFLICT: async () => {
    const member = await player();
    await transfer(member, 'wallet', 'betflix', 10, 'catalogue-1');
    return transfer(member, 'wallet', 'betflix', 20, 'catalogue-1');
  },

  QR_FAIL: async () => {
    await env.fault({ party: 'bank-a', call: 'create-qr', kind: 'refuse', count: 1 });
    return request(await env.member(), 'POST', '/api/qrcode/KBANK', { amount: 20 });
  },
  NO_BANK: async () => request(await env.member(), 'POST', '/api/qrcode/NONE', { amount: 20 }),
  NO_WALLET: async () => transfer(await player(), 'wallet', 'wallet', 10),
  TRANSFER_MINIMUM: async () => transfer(await player(), 'wallet', 'betflix', 0),
  TRANSFER_MAXIMUM: async () =>
    request(await env.member(), 'POST', '/api/qrcode/KBANK', { amount: 2_000_001 }),
  MONEY_NOT_ENOUGH: async () => transfer(await player(), 'wallet', 'betflix', 1000.01),
  TRANSFER_FAIL: async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'refuse', count: 1 });
    return transfer(member, 'wallet', 'betflix', 10);
  },
  WITHDRAW_MINIMUM: async () => request(await player(), 'POST', '/api/wallet/withdraw', { amount: 1 }),
  WITHDRAW_MAXIMUM: async () =>
    request(await player(), 'POST', '/api/wallet/withdraw', { amount: 1_000_000 }),

  BONUS_REMAINING: async () => bonuses.withdraw(await runner(), 100),
  BONUS_ALREADY_ACTIVE: async () => bonuses.activate(await runner(), await bonuses.offer()),
  BONUS_CONDITION: async () => bonuses.clear(await runner()),
  BONUS_TAKES_MORE: async () => bonuses.forfeit(await runner(), 0),
  BONUS_CHANGED: async () => bonuses.activate(await player(), await bonuses.offer(), 7),
  BONUS_CLEAR: async () => bonuses.forfeit(await runner()),
  BONUS_DEPOSIT_REQUIRED: async () => bonuses.activate(await player(), await bonuses.offer()),
  BONUS_MAX_CLAIMED: async () => {
    const once = { award: 'fixed', award_amount: 100n, deposit_min: null, max_received: 1 };
    const [member, code] = [await player(), await bonuses.offer({ ...once, success_percent: 0 })];
    await bonuses.activate(member, code);
    return bonuses.activate(member, code);
  },
  BONUS_FULL: async () => {
    const code = await promotion({ quota: 1 });
    await bonuses.receive(await player(), code);
    return bonuses.receive(await player(), code);
  },
  NO_PROMOTION: async () => bonuses.find(await player(), 'NOTHING'),
  PROMOTION_RECEIVED: async () => {
    const [member, code] = [await player(), await promotion()];
    await bonuses.receive(member, code);
    return bonuses.receive(member, code);
  },

  INVITE_INACTIVE: () => during('invite.active', false, async () => invites.receive(await env.member())),
  NO_INVITE_BONUS: async () => invites.receive(await env.member()),
  NO_INVITEE_PLAY_INFO: async () => {
    const inviter = await env.member();
    await bonuses.deposit(await invites.invitee(inviter), 100);
    return invites.receive(inviter);
  },
  INVITE_COLLECT: () =>
    during('invite.minimum', { BAHT: 6, LAK: 4_200 }, async () => invites.receive(await inviter())),
  INVITE_BONUS_SUCCESS: async () => invites.receive(await inviter()),
  INVITE_BONUS_FAIL: async () => {
    const member = await inviter();
    await env.owner.query(
      "alter table bonus_run add constraint no_invites check (kind <> 'invite') not valid",
    );
    const response = await invites.receive(member);
    await env.owner.query('alter table bonus_run drop constraint no_invites');
    return response;
  },
  SPINWHEEL_INACTIVE: () => during('wheel.active', false, async () => wheel.spin(await env.member())),
  NOT_ENOUGH_COIN: async () => {
    await wheel.putUp([{}]);
    return wheel.spin(await env.member());
  },
  SPINWHEEL_CHANGED: async () => {
    await wheel.putUp([{}]);
    return wheel.spin(await env.member(), undefined, '0.1');
  },
  INVALID_CODE: async () => wheel.redeem(await env.member(), 'none'),
  INVALID_PRIZE_CODE: async () => wheel.redeem(await env.member(), 'CP1-1'),
  INVALID_COUPON_TYPE: () => redeemed(1, { withdrawn: true }),
  COUPON_EXPIRED: () => redeemed(1, { days: 0 }),
  NO_CLAIMABLE_COUPON: () => redeemed(2),

  NO_REFUND: async () => refunds.addWallet(await env.member()),
  REFUND_CONDITION: async () => {
    const member = await loser();
    await refunds.openBet(member, 10);
    return refunds.receive(member);
  },
  REFUND_INACTIVE: () => during('refund.active', false, async () => refunds.receive(await env.member())),
  REFUND_MINIMUM: async () => refunds.receive(await env.member()),
  REFUND_SUCCESS: async () => refunds.receive(await loser()),

  CHAT_FILE_UNSUPPORTED: () => chatFile('paper.pdf', 9),
  CHAT_FILE_TOO_LARGE: () => chatFile('photo.png', 11 * 1024 * 1024),
  CHAT_FILES_FULL: () =>
    during('chat.addressMegabytes', 0, () => chatHelpers(env).upload('film.mp4', madeFilm(4_000), 'video')),
  STORAGE_FULL: () => during('file.diskFreeMegabytes', 1e9, () => slip('good')),
  SLIP_NO_FILE: async () => upload(await env.member(), Buffer.alloc(0)),
  SLIP_INVALID_FILE: async () => upload(await env.member(), Buffer.from('hello')),
  SLIP_UPLOAD_FAIL: () => during('slip.closedHours', ALL_DAY, () => slip('good')),
  FILE_NOT_EXIST: () => checked(1000),
  CAPTCHA_WRONG_3_TIMES: () => checked(1099),
  DUPLICATE_REFERENCE: () => checked(1012),
  UNKNOWN_ERROR: () => checked(4242),
  IMAGE_UNPROCESSABLE: () => slip('blurred'),
  CROPPED_IMAGE_UNREADABLE: () => slip('cropped'),
  UNSTABLE_REFERENCE: () => slip('broken-qr'),
  INVALID_SLIP: () => slip('not-a-slip'),
  INVALID_DESTINATION_ACCOUNT: () => slip('wrong-receiver'),
  ACCOUNT_NOT_MATCH: () => slip('other-sender'),
  SLIP_EXPIRED: () => slip('old'),

  LIMIT_REACHED: async () => {
    const member = await env.member();
    await request(member, 'PUT', '/api/limits', { kind: 'deposit', period: 'day', amount: 10 });
    return request(member, 'POST', '/api/qrcode/KBANK', { amount: 11 });
  },
  SELF_EXCLUDED: async () => {
    const member = await env.member();
    await request(member, 'POST', '/api/limits/break', { length: '24h' });
    return request(member, 'POST', '/api/qrcode/KBANK', { amount: 11 });
  },

  TRUELINK_INVALID: async () => request(await env.member(), 'POST', '/api/wallet/truelink', { link: 'x' }),
  TRUELINK_DUPLICATE: async () => {
    const [member, link] = [await env.member(), await gift(50)];
    await request(member, 'POST', '/api/wallet/truelink', { link });
    return request(member, 'POST', '/api/wallet/truelink', { link });
  },
};

/** Every id a catalogue has a text for. */
function textsOf(app: 'web' | 'console', language: string): Set<string> {
  const file = path.join(import.meta.dirname, `../../../${app}/src/locales/${language}.po`);
  const entries = readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm);
  return new Set([...entries].map(([, id]) => id as string));
}

describe('every code of the closed list', () => {
  test.each([...ERROR_CODES])('%s is answered over HTTP', async (code) => {
    const way = WAYS[code];
    if (!way) throw new Error(`${code}: say in WAYS how it is reached`);
    const { body } = await way();
    expect([body.message, body.code, body.error]).toContain(code);
  });

  test.each(['th', 'la', 'en'])('has its text in %s', (language) => {
    const [member, operator] = [textsOf('web', language), textsOf('console', language)];
    expect(ERROR_CODES.filter((code) => !member.has(`error.${code}`))).toEqual([]);
    expect(OPERATOR_CODES.filter((code) => !operator.has(`error.${code}`))).toEqual([]);
  });
});

test('no way leads to a code that is not in the list', () => {
  expect(Object.keys(WAYS).filter((code) => !(ERROR_CODES as readonly string[]).includes(code))).toEqual([]);
});

import { MINUTE_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { from, PROXY, peopleHelpers, person } from '../registration/testing-people.ts';
import { pass, pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: PROXY });
await env.set('register.otp', false);
for (const key of ['register.addressHourMax', 'otp.addressHourMax'] as const) await env.set(key, 100_000);

const { codeOn, verify: verifyForRegistering, send: sendForRegistering } = peopleHelpers(env);
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function member(): Promise<{ id: string; phone: string; password: string }> {
  const who = person();
  const { body } = await env.call('POST', '/api/account', who);
  return { id: body._id, phone: who.username as string, password: who.password as string };
}
const login = (username: string, password: string) =>
  env.call('POST', '/api/login', { username, password }, from('192.0.2.1'));
const send = (phoneNumber: string, address = '192.0.2.1', requestId?: string) =>
  env.call('POST', '/api/password/send', { phoneNumber, requestId }, from(address));
const verify = (otpToken: string, otpCode: string) =>
  env.call('POST', '/api/password/verify', { otpToken, otpCode }, from('192.0.2.1'));
const reset = (otpToken: string, newPassword = 'a new password') =>
  env.call('POST', '/api/password/reset', { otpToken, newPassword }, from('192.0.2.1'));
const inbox = async (phone: string): Promise<{ text: string }[]> =>
  (await env.control(`sms?phone=${phone}`)).messages;

/** A token whose code was typed rightly. */
async function proven(phone: string): Promise<string> {
  const { otpToken } = (await send(phone)).body;
  expect((await verify(otpToken, await codeOn(phone))).body).toEqual({ code: 'OTP_CODE_VALID' });
  return otpToken;
}

let unregistered = 0;
const unregisteredPhone = () => `0877${String(++unregistered).padStart(6, '0')}`;

describe('a forgotten password', () => {
  test('is not replaced by one that the policy refuses, and the code stays usable', async () => {
    const me = await member();
    const token = await proven(me.phone);
    await env.set('password.strong', true);
    try {
      expect((await reset(token, 'sunshine')).body).toEqual({ message: 'WEAK_PASSWORD' });
      expect((await reset(token, me.phone)).body).toEqual({ message: 'WEAK_PASSWORD' });
      expect((await reset(token)).status).toBe(200);
    } finally {
      await env.set('password.strong', false);
    }
    expect((await login(me.phone, 'a new password')).status).toBe(200);
  });

  test.each(['reset', 'changed'])('that is %s lapses a request for another bank account', async (how) => {
    const me = await member();
    const { token } = (await login(me.phone, me.password)).body;
    const bankAccountNo = how === 'reset' ? '9998887771' : '9998887772';
    const wanted = { name: 'ใหม่', bankCode: 'KTB', bankAccountName: 'NEW NAME', bankAccountNo };
    expect((await env.call('PUT', '/api/account/profile', wanted, { token })).body.status).toBe('PENDING');
    const change = { oldPassword: me.password, newPassword: 'a new password' };
    const { status } =
      how === 'reset'
        ? await reset(await proven(me.phone))
        : await env.call('PUT', '/api/account/changepwd', change, { token });
    expect(status).toBe(200);
    const { rows } = await env.owner.query(
      'select id, state, lapsed_because from approval where maker_member_id = $1',
      [me.id],
    );
    expect(rows).toMatchObject([{ state: 'LAPSED', lapsed_because: 'PASSWORD' }]);
    const audit = await env.owner.query(
      "select actor, before from audit where subject = $1 and action = 'approval.lapse'",
      [`member:${me.id}`],
    );
    const before = { approval: rows[0].id, asks: 'account.change' };
    expect(audit.rows).toEqual([{ actor: `member:${me.id}`, before }]);
    const again = (await login(me.phone, 'a new password')).body.token;
    const read = await env.call('GET', '/api/account/profile', undefined, { token: again });
    expect(read.body.bankAccountRequest).toMatchObject({ status: 'LAPSED' });
    const renewed = await env.call('PUT', '/api/account/profile', wanted, { token: again });
    expect(renewed.body).toEqual({ status: 'PENDING' });
  });

  test('is reset by a code, ends every session, and notifies the phone', async () => {
    const me = await member();
    const tokens = [await login(me.phone, me.password), await login(me.phone, me.password)];
    const response = await send(me.phone);
    expect(response).toMatchObject({
      status: 200,
      body: {
        otpRef: expect.stringMatching(/^\w{4}$/),
        otpToken: expect.stringMatching(/^[\w-]{43}$/),
        expiresIn: 300,
      },
    });
    const code = await codeOn(me.phone);
    expect(JSON.stringify(response.body)).not.toContain(code);
    expect((await verify(response.body.otpToken, code)).status).toBe(200);
    expect((await reset(response.body.otpToken)).body).toEqual({ message: 'OK' });
    for (const { body } of tokens)
      expect(await env.call('GET', '/api/account/profile', undefined, { token: body.token })).toMatchObject({
        status: 401,
        body: { message: 'INVALID_USER_4' },
      });
    expect((await login(me.phone, me.password)).body).toEqual({ message: 'WRONG_CREDENTIAL' });
    expect((await login(me.phone, 'a new password')).status).toBe(200);
    await until(async () => (await inbox(me.phone)).some(({ text }) => text.includes('ถูกเปลี่ยนแล้ว')));
  });

  test('reaches a phone whose gateway was away, and whose first answer was lost, once', async () => {
    const me = await member();
    await env.fault({ party: 'sms', call: 'send', kind: 'outage', count: 1 });
    const requestId = 'd'.repeat(22);
    const { otpToken } = (await send(me.phone, undefined, requestId)).body;
    expect((await send(me.phone, undefined, requestId)).body.otpToken).toBe(otpToken);
    expect((await verify(otpToken, await codeOn(me.phone))).status).toBe(200);
    expect(await inbox(me.phone)).toHaveLength(1);
  });

  test('opens the door to one who was throttled for wrong passwords', async () => {
    const me = await member();
    for (let time = 0; time < 10; time++) await login(me.phone, 'wrong');
    expect((await login(me.phone, me.password)).body).toMatchObject({ message: 'REQUEST_LIMIT' });
    await reset(await proven(me.phone));
    await pass(env, clock, 10_000);
    expect((await login(me.phone, 'a new password')).status).toBe(200);
  });

  test('does not reveal who is a member: same response, same cost, same failure', async () => {
    const me = await member();
    const cost = async (phone: string) => {
      const started = performance.now();
      const { status, body } = await send(phone);
      expect([status, Object.keys(body).sort()]).toEqual([200, ['expiresIn', 'otpRef', 'otpToken']]);
      return { ms: performance.now() - started, otpToken: body.otpToken as string };
    };
    const [known, unknown]: number[][] = [[], []];
    // A slow gateway must not be observable in the response.
    await env.fault({ party: 'sms', call: 'send', kind: 'delay', ms: 3_000, count: 4 });
    const others = await Promise.all([member(), member(), member()]);
    for (const one of others) {
      known!.push((await cost(one.phone)).ms);
      unknown!.push((await cost(unregisteredPhone())).ms);
    }
    expect(Math.min(...known!)).toBeLessThan(Math.min(...unknown!) * 5 + 20);

    const unregistered = unregisteredPhone();
    for (const phone of [me.phone, unregistered]) {
      const { otpToken } = await cost(phone);
      const code = phone === unregistered ? '123456' : wrong(await codeOn(phone));
      for (let time = 0; time < 5; time++)
        expect(await verify(otpToken, code)).toMatchObject({
          status: 400,
          body: { message: 'OTP_CODE_INVALID' },
        });
      expect(await verify(otpToken, code)).toMatchObject({ status: 429, body: { message: 'OTP_BLOCK' } });
      expect((await reset(otpToken)).body).toEqual({ message: 'UNVERIFIED_OTP' });
      expect((await send(phone)).body.message).toBe('OTP_BLOCK');
    }
    expect(await inbox(unregistered)).toEqual([]);
  });
});

describe('a code', () => {
  test('allows one new password, also for forty concurrent calls', async () => {
    const me = await member();
    const token = await proven(me.phone);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => reset(token, `password ${index}`)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.message === 'OTP_EXPIRED')).toHaveLength(39);
    const mine = responses.findIndex(({ status }) => status === 200);
    expect((await login(me.phone, `password ${mine}`)).status).toBe(200);
    expect(await reset(token)).toMatchObject({ status: 400, body: { message: 'OTP_EXPIRED' } });
  });

  test('is valid for its purpose only', async () => {
    const me = await member();
    const unregistered = unregisteredPhone();
    const forRegistering = (await sendForRegistering(unregistered)).body.otpToken;
    expect((await verify(forRegistering, await codeOn(unregistered))).body).toEqual({
      message: 'OTP_NOT_EXIST',
    });
    await verifyForRegistering(forRegistering, await codeOn(unregistered));
    expect((await reset(forRegistering)).body).toEqual({ message: 'OTP_NOT_EXIST' });
    const { otpToken } = (await send(me.phone)).body;
    expect((await verifyForRegistering(otpToken, await codeOn(me.phone))).body).toEqual({
      message: 'OTP_NOT_EXIST',
    });
  });

  test('is nothing before it is typed rightly, and nothing long after', async () => {
    const me = await member();
    const { otpToken } = (await send(me.phone)).body;
    expect((await reset(otpToken)).body).toEqual({ message: 'UNVERIFIED_OTP' });
    await verify(otpToken, await codeOn(me.phone));
    await pass(env, clock, 30 * MINUTE_MS);
    expect((await reset(otpToken)).body).toEqual({ message: 'OTP_EXPIRED' });
    expect((await login(me.phone, me.password)).status).toBe(200);
    for (const token of ['', 'x', `${'a'.repeat(42)}'`])
      expect((await reset(token)).body).toEqual({ message: 'OTP_TOKEN_INVALID' });
    expect((await reset('a'.repeat(43))).body).toEqual({ message: 'OTP_NOT_EXIST' });
  });

  test('is sent once a minute and five times a day for all purposes, with forty concurrent calls', async () => {
    const me = await member();
    const responses = await Promise.all(Array.from({ length: 40 }, () => send(me.phone)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await sendForRegistering(me.phone)).body).toEqual({ message: 'REQUEST_LIMIT_1MIN' });
    await codeOn(me.phone);
    expect(await inbox(me.phone)).toHaveLength(1);
    for (let time = 0; time < 4; time++) {
      await pass(env, clock, MINUTE_MS);
      expect((await send(me.phone)).status).toBe(200);
    }
    await pass(env, clock, MINUTE_MS);
    expect(await send(me.phone)).toMatchObject({ status: 429, body: { message: 'REQUEST_LIMIT' } });
  });

  test('goes to no closed account, and does not open a suspended one', async () => {
    const [gone, held] = [await member(), await member()];
    const setStatus = (id: string, status: string) =>
      env.owner.query('update member set status = $2 where id = $1', [id, status]);
    await setStatus(gone.id, 'CLOSED');
    await setStatus(held.id, 'SUSPENDED');
    expect((await send(gone.phone)).status).toBe(200);
    await reset(await proven(held.phone));
    expect((await login(held.phone, 'a new password')).body).toMatchObject({ message: 'INACTIVE_USER' });
    expect(await inbox(gone.phone)).toEqual([]);
  });
});

test.each(['12345', '+856812345678', ''])('a phone %j is PHONE_NUMBER_REQUIRE_10_DIGIT', async (typed) => {
  expect(await send(typed)).toMatchObject({
    status: 400,
    body: { message: 'PHONE_NUMBER_REQUIRE_10_DIGIT' },
  });
});

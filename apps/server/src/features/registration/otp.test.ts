import { MINUTE_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { PROXY, peopleHelpers, person } from './testing-people.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: PROXY });
const { send, verify, codeOn, prove, register, validate } = peopleHelpers(env);
for (const key of ['otp.addressHourMax', 'otp.addressFailuresMax'] as const) await env.set(key, 1000);

const minutes = (count: number) => pass(env, clock, count * MINUTE_MS);
let number = 0;
const phone = () => `0890${String(++number).padStart(6, '0')}`;
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a one-time code', () => {
  test('is sent by SMS only: the answer holds reference, token and SUCCESS', async () => {
    const mine = phone();
    const sent = await send(mine);
    expect(sent).toMatchObject({
      status: 200,
      body: {
        code: 'SUCCESS',
        otpRef: expect.stringMatching(/^\w{4}$/),
        otpToken: expect.stringMatching(/^[\w-]{43}$/),
        expiresIn: 300,
      },
    });
    const code = await codeOn(mine);
    expect(code).toMatch(/^\d{6}$/);
    expect(JSON.stringify(sent.body)).not.toContain(code);
    const { rows } = await env.owner.query('select otp::text as row from otp where phone = $1', [mine]);
    expect(rows[0].row).not.toContain(code);
    expect(await verify(sent.body.otpToken, code)).toMatchObject({
      status: 200,
      body: { code: 'OTP_CODE_VALID' },
    });
  });

  test('that is right is right again from the same address, and from no other', async () => {
    const mine = phone();
    const { body } = await send(mine);
    const code = await codeOn(mine);
    const right = { status: 200, body: { code: 'OTP_CODE_VALID' } };
    expect(await Promise.all(Array.from({ length: 3 }, () => verify(body.otpToken, code)))).toEqual(
      Array(3).fill(expect.objectContaining(right)),
    );
    for (let time = 0; time < 6; time++) expect(await verify(body.otpToken, code)).toMatchObject(right);
    expect(await verify(body.otpToken, code, '192.0.2.2')).toMatchObject({
      body: { message: 'OTP_EXPIRED' },
    });
    expect((await verify(body.otpToken, wrong(code))).body).toEqual({ message: 'OTP_CODE_INVALID' });
  });

  test('whose answer was lost is answered again by the same request id: one SMS, one try of the day', async () => {
    const mine = phone();
    const requestId = 'a'.repeat(22);
    const first = await send(mine, undefined, { requestId });
    await minutes(1);
    const again = await send(mine, undefined, { requestId });
    expect(again.body).toEqual({ ...first.body, expiresIn: expect.closeTo(240, -1) });
    expect((await env.control(`sms?phone=${mine}`)).messages).toHaveLength(1);
    expect((await verify(again.body.otpToken, await codeOn(mine))).status).toBe(200);
  });

  test('is another one under a request id whose code expired or was not taken by the gateway', async () => {
    const mine = phone();
    const requestId = 'e'.repeat(22);
    await env.fault({ party: 'sms', call: 'send', kind: 'refuse', count: 1 });
    expect((await send(mine, undefined, { requestId })).body).toEqual({ message: 'OTP_SEND_FAIL' });
    const first = await send(mine, undefined, { requestId });
    await minutes(6);
    const second = await send(mine, undefined, { requestId });
    expect(second.body).toMatchObject({ code: 'SUCCESS', expiresIn: 300 });
    expect(second.body.otpRef).not.toBe(first.body.otpRef);
    expect((await verify(second.body.otpToken, await codeOn(mine))).status).toBe(200);
  });

  test('is not repeated to a caller with another id, phone or address', async () => {
    const [mine, other] = [phone(), phone()];
    const requestId = 'b'.repeat(22);
    const { body } = await send(mine, undefined, { requestId });
    expect((await send(mine, undefined, { requestId: 'c'.repeat(22) })).body).toEqual({
      message: 'REQUEST_LIMIT_1MIN',
    });
    expect((await send(mine, '192.0.2.9', { requestId })).body).toEqual({ message: 'REQUEST_LIMIT_1MIN' });
    expect((await send(other, undefined, { requestId })).body.otpToken).not.toBe(body.otpToken);
  });

  test.each([
    ['th', 'คือรหัส OTP ของคุณ'],
    ['lo', 'ແມ່ນລະຫັດ OTP ຂອງທ່ານ'],
    ['en', 'is your OTP'],
  ])('is written in the language of the caller (%s)', async (language, texts) => {
    const mine = phone();
    await send(mine, undefined, { language });
    await codeOn(mine);
    const [{ text }] = (await env.control(`sms?phone=${mine}`)).messages;
    expect(text).toContain(texts);
  });

  test('that is wrong is OTP_CODE_INVALID; after five of them OTP_BLOCK for fifteen minutes, for sending too', async () => {
    const mine = phone();
    const { body } = await send(mine);
    const code = await codeOn(mine);
    for (let time = 0; time < 5; time++)
      expect(await verify(body.otpToken, wrong(code))).toMatchObject({
        status: 400,
        body: { message: 'OTP_CODE_INVALID' },
      });
    expect(await verify(body.otpToken, code)).toMatchObject({
      status: 429,
      body: { message: 'OTP_BLOCK', data: { minutes: 15 } },
    });
    await minutes(2);
    expect((await send(mine)).body).toMatchObject({ message: 'OTP_BLOCK', data: { minutes: 13 } });
    await minutes(14);
    expect((await send(mine)).status).toBe(200);
  });

  test('blocks twice as long each time within a day', async () => {
    const mine = phone();
    for (const blocked of [15, 30, 60]) {
      const { body } = await send(mine);
      for (let time = 0; time < 5; time++) await verify(body.otpToken, 'wrong');
      expect((await send(mine)).body).toMatchObject({ message: 'OTP_BLOCK', data: { minutes: blocked } });
      await minutes(blocked);
    }
  });

  test('is not used up by an address that may send none any more', async () => {
    await env.set('otp.addressHourMax', 1);
    const [attacker, mine] = ['192.0.2.77', phone()];
    expect((await send(phone(), attacker)).status).toBe(200);
    for (let time = 0; time < 6; time++) {
      const left = { minutes: 60 - time };
      expect((await send(mine, attacker)).body).toEqual({ message: 'REQUEST_LIMIT', data: left });
      await minutes(1);
    }
    expect((await send(mine, '192.0.2.78')).status).toBe(200);
    await env.set('otp.addressHourMax', 1000);
  });

  test('is guessed from one address at a slower pace, whatever the phone', async () => {
    await env.set('otp.addressFailuresMax', 5);
    const responses = [];
    for (let time = 0; time < 10; time++) {
      const { body } = await send(phone(), '192.0.2.88');
      responses.push((await verify(body.otpToken, 'wrong', '192.0.2.88')).body.message);
    }
    expect(responses).toEqual([...Array(6).fill('OTP_CODE_INVALID'), ...Array(4).fill('REQUEST_LIMIT')]);
    await env.set('otp.addressFailuresMax', 1000);
  });

  test('cannot be guessed in parallel: of forty tries five count', async () => {
    const mine = phone();
    const { body } = await send(mine);
    const code = await codeOn(mine);
    const responses = await Promise.all(Array.from({ length: 39 }, () => verify(body.otpToken, wrong(code))));
    expect(
      responses.every((response) => ['OTP_CODE_INVALID', 'OTP_BLOCK'].includes(response.body.message)),
    ).toBe(true);
    expect((await verify(body.otpToken, code)).body.message).toBe('OTP_BLOCK');
    expect((await validate(person({ username: mine }))).body).toEqual({ message: 'UNVERIFIED_OTP' });
  });

  test('is over after five minutes', async () => {
    const mine = phone();
    const { body } = await send(mine);
    const code = await codeOn(mine);
    await minutes(5);
    expect(await verify(body.otpToken, code)).toMatchObject({
      status: 400,
      body: { message: 'OTP_EXPIRED' },
    });
  });

  test.each(['', '123456', '1234567', 'abcdef', '１２３４５６', "' or 1=1--", '-1'])(
    '%j never passes for another',
    async (guess) => {
      const mine = phone();
      const { body } = await send(mine);
      expect((await verify(body.otpToken, guess)).body).toEqual({ message: 'OTP_CODE_INVALID' });
    },
  );

  test('token out of form is OTP_TOKEN_INVALID, an unknown one OTP_NOT_EXIST', async () => {
    for (const token of ['', 'x', '__proto__', 'a'.repeat(44), `${'a'.repeat(42)}'`])
      expect((await verify(token, '123456')).body).toEqual({ message: 'OTP_TOKEN_INVALID' });
    expect((await verify('a'.repeat(43), '123456')).body).toEqual({ message: 'OTP_NOT_EXIST' });
  });
});

describe('sending', () => {
  test('is limited to one a minute, also for forty at once', async () => {
    const mine = phone();
    const responses = await Promise.all(Array.from({ length: 40 }, () => send(mine)));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(
      responses.filter(
        (response) => response.status === 429 && response.body.message === 'REQUEST_LIMIT_1MIN',
      ),
    ).toHaveLength(39);
    expect((await env.control(`sms?phone=${mine}`)).messages).toHaveLength(1);
    await minutes(1);
    expect((await send(mine)).status).toBe(200);
  });

  test('is limited to five a day for a phone, and says how long that lasts', async () => {
    const mine = phone();
    for (let time = 0; time < 5; time++) {
      expect((await send(mine)).status).toBe(200);
      await minutes(1);
    }
    expect(await send(mine)).toMatchObject({
      status: 429,
      body: { message: 'REQUEST_LIMIT', data: { minutes: 24 * 60 - 5 } },
    });
    await minutes(24 * 60);
    expect((await send(mine)).status).toBe(200);
  });

  test('is limited for an address, without harm to others', async () => {
    await env.set('otp.addressHourMax', 3);
    for (let time = 0; time < 3; time++) expect((await send(phone(), '192.0.2.77')).status).toBe(200);
    expect((await send(phone(), '192.0.2.77')).body).toEqual({
      message: 'REQUEST_LIMIT',
      data: { minutes: 60 },
    });
    expect((await send(phone(), '192.0.2.78')).status).toBe(200);
    await env.set('otp.addressHourMax', 1000);
  });

  test.each(['refuse', 'outage'])(
    'that the gateway refused (%s) is OTP_SEND_FAIL, is not counted, and may be requested again',
    async (kind) => {
      const mine = phone();
      for (let time = 0; time < 6; time++) {
        await env.fault({ party: 'sms', call: 'send', kind, count: 1 });
        expect(await send(mine)).toMatchObject({ status: 400, body: { message: 'OTP_SEND_FAIL' } });
      }
      const { body } = await send(mine);
      expect((await verify(body.otpToken, await codeOn(mine))).status).toBe(200);
    },
  );

  test('whose gateway gave no answer counts as sent', async () => {
    await env.fault({ party: 'sms', call: 'send', kind: 'cut-after', count: 1 });
    const mine = phone();
    const { body } = await send(mine);
    expect((await verify(body.otpToken, await codeOn(mine))).status).toBe(200);
  });

  test.each(['12345', '08123456789', '+856812345678', '081-234-567', '٠٨١٢٣٤٥٦٧٨', ''])(
    'to %j is PHONE_NUMBER_REQUIRE_10_DIGIT',
    async (typed) => {
      expect(await send(typed)).toMatchObject({
        status: 400,
        body: { message: 'PHONE_NUMBER_REQUIRE_10_DIGIT' },
      });
    },
  );
});

test('a code, its phone and its address are deleted some days after they are over, not before', async () => {
  const stored = async (mine: string) =>
    (await env.owner.query('select 1 from otp where phone = $1', [mine])).rows.length;
  const [proven, unused] = [phone(), phone()];
  await prove(proven);
  await send(unused);
  await minutes(3 * 24 * 60 + 30);
  await env.app.runJob('housekeeping');
  expect([await stored(proven), await stored(unused)]).toEqual([1, 1]);
  await minutes(6);
  await env.app.runJob('housekeeping');
  expect([await stored(proven), await stored(unused)]).toEqual([0, 0]);
  // As long as a proof of the phone counts, its code stays.
  const later = phone();
  await prove(later);
  await env.set('otp.verifiedMinutes', 10 * 24 * 60);
  await minutes(9 * 24 * 60);
  await env.app.runJob('housekeeping');
  expect((await validate(person({ username: later }))).body).toEqual({ message: 'OK' });
  await env.set('otp.verifiedMinutes', 30);
  await env.app.runJob('housekeeping');
  expect(await stored(later)).toBe(0);
});

describe('a verified phone', () => {
  test('needs no second code for thirty minutes, and can register', async () => {
    const mine = phone();
    await prove(mine);
    expect((await send(mine)).body).toEqual({
      otpRef: null,
      otpToken: null,
      expiresIn: null,
      code: 'OTP_VERIFIED',
    });
    await minutes(29);
    expect((await validate(person({ username: mine }))).body).toEqual({ message: 'OK' });
    await minutes(1);
    expect((await validate(person({ username: mine }))).body).toEqual({ message: 'UNVERIFIED_OTP' });
    expect((await register(person({ username: mine }))).body).toEqual({ message: 'UNVERIFIED_OTP' });
    expect((await send(mine)).body.code).toBe('SUCCESS');
  });

  test('counts only from the address that verified it', async () => {
    const mine = phone();
    const { body } = await send(mine, '192.0.2.5');
    await verify(body.otpToken, await codeOn(mine), '192.0.2.6');
    for (const elsewhere of ['192.0.2.5', '192.0.2.7'])
      expect((await register(person({ username: mine }), elsewhere)).body).toEqual({
        message: 'UNVERIFIED_OTP',
      });
    expect((await register(person({ username: mine }), '192.0.2.6')).status).toBe(200);
  });

  test('does not vouch for another phone', async () => {
    const mine = phone();
    await prove(mine);
    expect((await register(person({ username: phone() }))).body).toEqual({ message: 'UNVERIFIED_OTP' });
  });
});

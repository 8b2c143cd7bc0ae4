import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, json, startTestEnv, type TestEnv } from '../testing/test-env.ts';
import { countParts, otpIn } from './messages.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const otp = { sender: 'KRAPAO', to: '0815550142', text: 'รหัส OTP ของคุณคือ 407291 (อ้างอิง K7QX)' };

describe('SMS gateway', () => {
  test('a message arrives in the inbox of its phone, however the number was written', async () => {
    const sent = await env.sms('/messages', { ...otp, to: '+66 81 555 0142' });
    expect(sent.body).toMatchObject({ code: '000', result: { state: 'DELIVERED' } });
    const { body } = await env.control('sms?phone=0815550142');
    expect(body.messages.at(-1)).toMatchObject({ text: otp.text, otp: '407291', sender: 'KRAPAO' });
    const status = await env.sms(`/messages/${sent.body.result.id}`);
    expect(status.body.result).toEqual({ id: sent.body.result.id, state: 'DELIVERED' });
  });

  test('a resend arrives again and costs again', async () => {
    const before = (await env.sms('/credit')).body.result.credit;
    const sent = await env.sms('/messages', { ...otp, text: 'hello' });
    expect((await env.sms(`/messages/${sent.body.result.id}/resend`, {})).body.code).toBe('000');
    expect((await env.sms('/credit')).body.result.credit).toBe(before - 2);
  });

  test('an unknown number becomes a person', async () => {
    await env.sms('/messages', { ...otp, to: '8562099998888' });
    const { body } = await env.control('persons');
    expect(body.persons.map((person: { phone: string }) => person.phone)).toContain('02099998888');
  });

  test('refusals carry the gateway’s codes', async () => {
    const code = async (body: object, headers?: Record<string, string>) =>
      headers
        ? (await call(`${env.sandbox.url}/outside/sms/v1/messages`, json(body, headers))).body.code
        : (await env.sms('/messages', body)).body.code;
    expect(await code({ ...otp, to: 'abc' })).toBe('107');
    expect(await code({ to: otp.to })).toBe('100');
    expect(await code(otp, { api_key: 'sandbox-sms', secret_key: 'wrong' })).toBe('1004');
    await env.control('settings', { smsCredit: 0 });
    expect(await code(otp)).toBe('400');
    await env.control('settings', { smsCredit: 100 });
    expect((await env.sms('/messages/none')).status).toBe(404);
  });

  test('waiting finds the newest message, and with a cursor only later ones', async () => {
    await env.sms('/messages', { ...otp, text: 'code 111111' });
    const first = (await env.control('wait', { for: 'sms', phone: otp.to })).body;
    expect(first.facts.otp).toBe('111111');
    const later = env.control('wait', { for: 'sms', phone: otp.to, after: first.seq });
    await env.sms('/messages', { ...otp, text: 'code 222222' });
    expect((await later).body.facts.otp).toBe('222222');
    const none = await env.control('wait', { for: 'sms', phone: '0999999999', timeoutMs: 20 });
    expect(none.body.found).toBe(false);
  });
});

test('parts follow the 160 and 70 character rules', () => {
  expect(countParts('x'.repeat(160))).toBe(1);
  expect(countParts('x'.repeat(161))).toBe(2);
  expect(countParts('ก'.repeat(70))).toBe(1);
  expect(countParts('ก'.repeat(71))).toBe(2);
});

test('a code is four to eight digits that stand alone', () => {
  expect(otpIn('โอน 12 บาท รหัส 123456')).toBe('123456');
  expect(otpIn('โทร 021234567890')).toBeNull();
});

/** Helpers for tests of registration: a caller's address, a person's intents, and codes from the phone. */
import type { ApiResponse, TestEnv } from '../../testing/test-env.ts';

let serial = 0;

/** Forwarded addresses count only from here; tests call from the proxy's own. */
export const PROXY = { TRUSTED_PROXIES: '127.0.0.1' };
export const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** A new person. */
export function person(change: Record<string, unknown> = {}): Record<string, unknown> {
  const number = String(++serial).padStart(5, '0');
  return {
    name: 'สมชาย ใจดี',
    username: `08123${number}`,
    password: 'a good long password',
    sourceCode: 'other',
    bankCode: 'KBANK',
    bankAccountName: 'สมชาย ใจดี',
    bankAccountNo: `99000${number}`,
    ...change,
  };
}

export function peopleHelpers(env: TestEnv) {
  const send = (
    phoneNumber: unknown,
    address = '192.0.2.1',
    { requestId, language = 'th' }: { requestId?: string; language?: string } = {},
  ): Promise<ApiResponse> =>
    env.call(
      'POST',
      '/api/otp/send',
      { phoneNumber, ...(requestId && { requestId }) },
      { headers: { ...from(address).headers, 'accept-language': language } },
    );
  const verify = (otpToken: unknown, otpCode: unknown, address = '192.0.2.1'): Promise<ApiResponse> =>
    env.call('POST', '/api/otp/verify', { otpToken, otpCode }, from(address));
  /** The digits of the newest message on a phone. */
  const codeOn = async (phone: string): Promise<string> => {
    await env.control('wait', { for: 'sms', phone });
    const { messages } = await env.control(`sms?phone=${phone}`);
    return messages.reduce((a: { at: string }, b: { at: string }) => (a.at > b.at ? a : b)).otp;
  };
  return {
    send,
    verify,
    codeOn,
    /** Walks a phone through its code. */
    async prove(phone: string, address = '192.0.2.1'): Promise<void> {
      const { body } = await send(phone, address);
      await verify(body.otpToken, await codeOn(phone), address);
    },
    register: (body: unknown, address = '192.0.2.1') => env.call('POST', '/api/account', body, from(address)),
    validate: (body: unknown, address = '192.0.2.1') =>
      env.call('POST', '/api/account/validate', body, from(address)),
  };
}

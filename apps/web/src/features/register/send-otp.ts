import { api } from '../../platform/api.ts';
import type { Wizard } from './use-wizard.ts';

/** A flag may come bare or under its own name. */
const isOn = (answer: unknown): boolean =>
  answer === true || (answer as { registerOTP?: unknown } | null)?.registerOTP === true;

/** Sends a code to the typed phone if registration asks for one; says which step is next. */
export async function sendOtp(wizard: Wizard): Promise<'otp' | 'profile'> {
  if (!isOn(await api('GET /api/lookup/registerOTP'))) return 'profile';
  const phoneNumber = wizard.draft.phone.trim();
  const { code, otpRef, otpToken, expiresIn } = await api('POST /api/otp/send', { body: { phoneNumber } });
  if (code === 'OTP_VERIFIED' || otpToken === null) return 'profile';
  wizard.setOtp({ ref: otpRef ?? '', token: otpToken, sentAt: Date.now(), expiresIn: expiresIn ?? 0 });
  return 'otp';
}

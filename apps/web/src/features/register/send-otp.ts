import { normalisePhone } from '@krapao/contract/shared';
import { api } from '../../platform/api.ts';
import { isOpen, requestCode } from '../../platform/code-request.ts';
import { config } from '../../platform/config.ts';
import type { Wizard } from './use-wizard.ts';

/** A flag may come bare or under its own name. */
const isOn = (response: unknown): boolean =>
  response === true || (response as { registerOTP?: unknown } | null)?.registerOTP === true;

/** Sends a code to the typed phone if registration requires one; returns the next step. */
export async function sendOtp(wizard: Wizard): Promise<'otp' | 'profile'> {
  // Another may be typed before the server has responded.
  const phone = normalisePhone(wizard.draft.phone, config.variant) ?? '';
  const isCodeLess = !isOn(await api('GET /api/lookup/registerOTP'));
  wizard.setCodeLess(isCodeLess);
  if (isCodeLess) return 'profile';
  const { code, otpRef, otpToken, expiresIn } = await requestCode(
    { purpose: 'register', phone },
    (requestId) => api('POST /api/otp/send', { body: { phoneNumber: phone, requestId } }),
  );
  if (code === 'OTP_VERIFIED' || otpToken === null) return 'profile';
  wizard.setOtp({ phone, ref: otpRef ?? '', token: otpToken, sentAt: Date.now(), expiresIn: expiresIn ?? 0 });
  return 'otp';
}

/** The same, unless a code for this phone can still be typed: then that one, with any sending limits. */
export const needCode = async (wizard: Wizard): Promise<'otp' | 'profile'> =>
  isOpen(wizard.otp, normalisePhone(wizard.draft.phone, config.variant) ?? '') ? 'otp' : sendOtp(wizard);

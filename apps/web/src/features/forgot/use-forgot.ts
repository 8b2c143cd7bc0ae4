import { normalisePhone } from '@krapao/contract/shared';
import { useEffect, useLayoutEffect, useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { api } from '../../platform/api.ts';
import { isOpen, requestCode } from '../../platform/code-request.ts';
import { config } from '../../platform/config.ts';
import type { SentCode } from '../../platform/otp-form.tsx';
import { clearStored } from '../../platform/storage.ts';
import { readForm, writeForm } from '../../platform/stored-form.ts';

export type Step = 'phone' | 'otp' | 'password';

/**
 * The way to a new password. Its step is in the history, so that the back gesture goes one step back; the code that
 * was sent is stored in this tab, so that a reload continues there.
 */
export function useForgot() {
  const state = useHistoryState<{ step?: Step } | null>();
  const [sent, setSent] = useState<SentCode | null>(null);
  // After the first paint: the page is prerendered without it.
  useLayoutEffect(() => setSent(readForm<SentCode>('password-reset')), []);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (isDone) navigate('/login', { replace: true });
  }, [isDone]);
  const step: Step = sent === null ? 'phone' : (state?.step ?? 'phone');
  const send = async (typed: string) => {
    const phone = normalisePhone(typed, config.variant) ?? '';
    const { otpRef, otpToken, expiresIn } = await requestCode({ purpose: 'password', phone }, (requestId) =>
      api('POST /api/password/send', { body: { phoneNumber: phone, requestId } }),
    );
    const code = { phone, ref: otpRef, token: otpToken, sentAt: Date.now(), expiresIn };
    setSent(code);
    writeForm('password-reset', code);
  };
  return {
    step,
    phone: sent?.phone ?? '',
    sent,
    /** Requests a code; throws the refusal. The server does not reveal whether the phone is a member's. */
    send,
    /** The same, unless a code for this phone can still be typed. */
    needCode: async (typed: string) => {
      if (!isOpen(sent, normalisePhone(typed, config.variant) ?? '')) await send(typed);
    },
    /** Forgets the code, which was used, and leads to the login, whichever step is shown by then. */
    finish: () => {
      clearStored('password-reset');
      setDone(true);
    },
    go: (next: Step, options: { replace?: boolean } = {}) => {
      navigate(location.pathname, { ...options, state: { step: next } });
      window.scrollTo(0, 0);
    },
    back: () => (step === 'phone' ? navigate('/login') : history.back()),
  };
}

export type Forgot = ReturnType<typeof useForgot>;

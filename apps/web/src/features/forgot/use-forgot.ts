import { useRef, useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { api } from '../../platform/api.ts';
import type { SentCode } from '../../platform/otp-form.tsx';

export type Step = 'phone' | 'otp' | 'password';

/**
 * The way to a new password. Its step lives in the history, so that the back gesture goes one step back; phone and
 * code live here, and after a reload it begins anew.
 */
export function useForgot() {
  const state = useHistoryState<{ step?: Step } | null>();
  const phone = useRef('');
  const [sent, setSent] = useState<SentCode | null>(null);
  const step: Step = sent === null ? 'phone' : (state?.step ?? 'phone');
  return {
    step,
    phone: phone.current,
    sent,
    /** Asks for a code; throws the refusal. The server does not say whether the phone is a member's. */
    send: async (typed: string) => {
      phone.current = typed;
      const body = { phoneNumber: typed };
      const { otpRef, otpToken, expiresIn } = await api('POST /api/password/send', { body });
      setSent({ ref: otpRef, token: otpToken, sentAt: Date.now(), expiresIn });
    },
    go: (next: Step, options: { replace?: boolean } = {}) => {
      navigate(location.pathname, { ...options, state: { step: next } });
      window.scrollTo(0, 0);
    },
    back: () => (step === 'phone' ? navigate('/login') : history.back()),
  };
}

export type Forgot = ReturnType<typeof useForgot>;

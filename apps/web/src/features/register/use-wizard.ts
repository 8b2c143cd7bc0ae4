import { type FormEvent, useRef, useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { config } from '../../platform/config.ts';
import type { SentCode } from '../../platform/otp-form.tsx';
import { type Draft, emptyDraft } from './draft.ts';

export const STEPS = ['phone', 'otp', 'profile', 'bank'] as const;
export type Step = (typeof STEPS)[number];

/**
 * The wizard's step lives in the history, so that the back gesture goes one step back; what was typed lives here.
 * After a reload nothing is typed any more, and the wizard begins anew whatever the history says.
 */
export function useWizard() {
  const state = useHistoryState<{ step?: Step } | null>();
  const draft = useRef<Draft>(emptyDraft(config.variant === 'la' ? 'LAK' : 'BAHT'));
  const [otp, setOtp] = useState<SentCode | null>(null);
  const step: Step = draft.current.phone === '' ? 'phone' : (state?.step ?? 'phone');
  return {
    step: step === 'otp' && otp === null ? ('phone' as const) : step,
    draft: draft.current,
    otp,
    setOtp,
    go: (next: Step, options: { replace?: boolean } = {}) => {
      navigate(location.pathname + location.search, { ...options, state: { step: next } });
      window.scrollTo(0, 0);
    },
    back: () => (step === 'phone' ? navigate('/login') : history.back()),
    /** Keeps every field of a form as it is typed. */
    keep: (event: FormEvent<HTMLFormElement>) => {
      const form = Object.fromEntries(new FormData(event.currentTarget)) as Partial<Draft>;
      Object.assign(draft.current, form);
    },
  };
}

export type Wizard = ReturnType<typeof useWizard>;

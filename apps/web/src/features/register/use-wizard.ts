import { codeOf } from '@krapao/ui/api/api-error.ts';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { config } from '../../platform/config.ts';
import { errorText } from '../../platform/error-text.ts';
import type { SentCode } from '../../platform/otp-form.tsx';
import { clearStored } from '../../platform/storage.ts';
import { readForm, writeForm } from '../../platform/stored-form.ts';
import { type Draft, emptyDraft, isMaybeRegistered } from './draft.ts';

export const STEPS = ['phone', 'otp', 'profile', 'bank'] as const;
export type Step = (typeof STEPS)[number];

const TO_LOGIN_MS = 2000;

/** What outlives a reload: everything but the passwords. */
interface Kept {
  draft: Partial<Draft>;
  otp: SentCode | null;
  isCodeLess: boolean;
}

/** The step that can be shown with what is known: one whose input is missing is replaced by the one that collects it. */
function shownStep(wanted: Step, draft: Draft, otp: SentCode | null): Step {
  if (draft.phone === '' || (wanted === 'otp' && otp === null)) return 'phone';
  return wanted === 'bank' && draft.password === '' ? 'profile' : wanted;
}

/** Leads a new member to the login once the success has been read, whichever step of the wizard is shown by then. */
function useToLogin(isRegistered: boolean): void {
  useEffect(() => {
    if (!isRegistered) return;
    const timer = setTimeout(navigate, TO_LOGIN_MS, '/login');
    return () => clearTimeout(timer);
  }, [isRegistered]);
}

/**
 * The wizard's step is in the history, so that the back gesture goes one step back; the input and the code
 * that was sent are stored in this tab, so that a reload, as when the SMS is read, continues there.
 */
export function useWizard() {
  const { t } = useText();
  const state = useHistoryState<{ step?: Step } | null>();
  const draft = useRef<Draft>(emptyDraft(config.variant === 'la' ? 'LAK' : 'BAHT'));
  const [otp, setOtp] = useState<SentCode | null>(null);
  const [isCodeLess, setCodeLess] = useState(false);
  const [isRestored, setRestored] = useState(false);
  const [isRegistered, setRegistered] = useState(false);
  useToLogin(isRegistered);
  const save = (code: SentCode | null, isWithout = isCodeLess) => {
    const { password: _, again: __, ...typed } = draft.current;
    writeForm('registration', { draft: typed, otp: code, isCodeLess: isWithout } satisfies Kept);
  };
  // After the first paint: the page is prerendered without any of it.
  useLayoutEffect(() => {
    const kept = readForm<Kept>('registration');
    if (!kept) return;
    Object.assign(draft.current, kept.draft);
    setOtp(kept.otp);
    setCodeLess(kept.isCodeLess);
    setRestored(true);
  }, []);
  const step = shownStep(state?.step ?? 'phone', draft.current, otp);
  const onScreen = useRef<Step | null>(null);
  useLayoutEffect(() => {
    onScreen.current = step;
    return () => {
      onScreen.current = null;
    };
  }, [step]);
  return {
    step,
    /** Whether a step is on the screen still, for what happens once the server has answered. Its form may be drawn anew. */
    isAt: (of: Step) => onScreen.current === of,
    draft: draft.current,
    otp,
    /** Whether registration requires no code and has no step for it. */
    isCodeLess,
    setCodeLess: (isWithout: boolean) => {
      setCodeLess(isWithout);
      save(otp, isWithout);
    },
    /** Changes when what an earlier visit typed was found: fields are drawn again with it. */
    isRestored,
    setOtp: (code: SentCode | null) => {
      setOtp(code);
      save(code);
    },
    go: (next: Step, options: { replace?: boolean } = {}) => {
      navigate(location.pathname + location.search, { ...options, state: { step: next } });
      window.scrollTo(0, 0);
    },
    back: () => (step === 'phone' ? navigate('/login') : history.back()),
    /** Keeps every field of a form as it is typed. */
    keep: (event: FormEvent<HTMLFormElement>) => {
      const form = Object.fromEntries(new FormData(event.currentTarget)) as Partial<Draft>;
      Object.assign(draft.current, form);
      save(otp);
    },
    /** Forgets everything, and leads to the login: the member exists. */
    finish: () => {
      clearStored('registration');
      setRegistered(true);
    },
    /** Stores that the registration got no response. */
    setUnanswered: () => {
      draft.current.unanswered = draft.current.phone;
      save(otp);
    },
    /** Shows a refusal; one that may be about the member's own registration leads to the login. */
    fail: (error: unknown) => {
      const isMaybeDone = isMaybeRegistered(draft.current, codeOf(error));
      showToast('bad', isMaybeDone ? t('register.maybeDone') : errorText(t, error));
      if (!isMaybeDone) return;
      clearStored('registration');
      if (onScreen.current !== null) navigate('/login', { replace: true });
    },
  };
}

export type Wizard = ReturnType<typeof useWizard>;

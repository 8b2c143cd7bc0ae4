import { codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { PasswordField } from '@krapao/ui/components/field.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { NewPasswordField } from '../../platform/new-password-field.tsx';
import styles from '../../platform/steps.module.css';
import { isUnanswered } from '../../platform/unanswered.ts';
import { useRequired } from '../../platform/use-required.ts';
import type { Forgot } from './use-forgot.ts';

const REQUIRED = ['new', 'again'];

/** The new password, typed twice; then the login page. */
export function PasswordStep({ forgot }: { forgot: Forgot }) {
  const { t } = useText();
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);
  const [isMismatch, setMismatch] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wasUnanswered, setUnanswered] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isComplete(event.currentTarget)) return;
    const form = new FormData(event.currentTarget);
    const [newPassword, again] = [String(form.get('new')), String(form.get('again'))];
    if (newPassword !== again) return setMismatch(true);
    setBusy(true);
    try {
      const otpToken = forgot.sent?.token ?? '';
      await api('POST /api/password/reset', { body: { otpToken, newPassword } });
      forgot.finish();
      showToast('ok', t('forgot.done'));
    } catch (error) {
      // The code is used by what got no answer: the password may be the new one already.
      const isMaybeDone = wasUnanswered && codeOf(error) === 'OTP_EXPIRED';
      showToast('bad', isMaybeDone ? t('forgot.maybeDone') : errorText(t, error));
      if (isMaybeDone) return forgot.finish();
      if (isUnanswered(error)) setUnanswered(true);
      setBusy(false);
    }
  };

  const type = (event: FormEvent) => {
    onInput(event);
    setMismatch(false);
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit} onInput={type}>
      <div>
        <h1>{t('forgot.title')}</h1>
        <p className={styles.lead}>{t('forgot.newLead')}</p>
      </div>
      <NewPasswordField label={t('profile.newPassword')} name="new" error={errorOf('new')} />
      <PasswordField
        label={t('profile.confirmPassword')}
        name="again"
        autoComplete="new-password"
        error={isMismatch ? t('valid.passwordMismatch') : errorOf('again')}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('btn.save')}
      </Button>
    </form>
  );
}

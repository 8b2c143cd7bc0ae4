import { Button } from '@krapao/ui/components/button.tsx';
import { PasswordField } from '@krapao/ui/components/field.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import styles from '../../platform/steps.module.css';
import type { Forgot } from './use-forgot.ts';

/** The new password, typed twice; then the login page. An empty field stops silently. */
export function PasswordStep({ forgot }: { forgot: Forgot }) {
  const { t } = useText();
  const [isMismatch, setMismatch] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [newPassword, again] = [String(form.get('new')), String(form.get('again'))];
    if (!newPassword || !again) return;
    if (newPassword !== again) return setMismatch(true);
    setBusy(true);
    try {
      const otpToken = forgot.sent?.token ?? '';
      await api('POST /api/password/reset', { body: { otpToken, newPassword } });
      navigate('/login', { replace: true });
      showToast('ok', t('forgot.done'));
    } catch (error) {
      showToast('bad', errorText(t, error));
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit} onInput={() => setMismatch(false)}>
      <div>
        <h1>{t('forgot.title')}</h1>
        <p className={styles.lead}>{t('forgot.newLead')}</p>
      </div>
      <PasswordField label={t('profile.newPassword')} name="new" autoComplete="new-password" />
      <PasswordField
        label={t('profile.confirmPassword')}
        name="again"
        autoComplete="new-password"
        error={isMismatch ? t('valid.passwordMismatch') : null}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('btn.save')}
      </Button>
    </form>
  );
}

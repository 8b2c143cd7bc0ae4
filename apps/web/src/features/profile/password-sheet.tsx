import { codeOf } from '@krapao/ui/api/api-error.ts';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { PasswordField } from '@krapao/ui/components/field.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { NewPasswordField } from '../../platform/new-password-field.tsx';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { isUnanswered } from '../../platform/unanswered.ts';
import { useRequired } from '../../platform/use-required.ts';

const REQUIRED = ['old', 'new', 'again'];

/** Changes the password. The server's refusal is an alert titled with its text. */
export default function PasswordSheet() {
  const { t } = useText();
  const own = useOwnSheet();
  const { isComplete, onInput, errorOf } = useRequired(REQUIRED);
  const [isMismatch, setMismatch] = useState(false);
  const [alert, setAlert] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wasUnanswered, setUnanswered] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isComplete(event.currentTarget)) return;
    const form = new FormData(event.currentTarget);
    const [oldPassword, newPassword] = [String(form.get('old')), String(form.get('new'))];
    if (newPassword !== form.get('again')) return setMismatch(true);
    setBusy(true);
    try {
      await api('PUT /api/account/changepwd', { body: { oldPassword, newPassword } });
      own.close();
      showToast('ok', t('profile.passwordChanged'));
    } catch (error) {
      // An attempt without a response may have set the new password: the former one is then refused.
      const isMaybeDone = wasUnanswered && codeOf(error) === 'WRONG_PASSWORD';
      setAlert(isMaybeDone ? t('profile.maybeChanged') : errorText(t, error));
      if (isUnanswered(error)) setUnanswered(true);
    }
    setBusy(false);
  };

  const foot = (
    <Button type="submit" form="password-form" isWide isBusy={isBusy}>
      {t('btn.save')}
    </Button>
  );
  return (
    <Sheet title={t('profile.changePassword')} onClose={closeSheet} footer={foot}>
      <form
        id="password-form"
        className={layout.stack}
        noValidate
        onSubmit={submit}
        onInput={(event) => {
          onInput(event);
          setMismatch(false);
        }}
      >
        <PasswordField
          label={t('profile.oldPassword')}
          name="old"
          autoComplete="current-password"
          error={errorOf('old')}
        />
        <NewPasswordField label={t('profile.newPassword')} name="new" error={errorOf('new')} />
        <PasswordField
          label={t('profile.confirmPassword')}
          name="again"
          autoComplete="new-password"
          error={isMismatch ? t('valid.passwordMismatch') : errorOf('again')}
        />
      </form>
      {alert && <AlertDialog tone="bad" title={alert} onClose={() => setAlert(null)} />}
    </Sheet>
  );
}

import { normalisePhone } from '@krapao/contract/shared';
import { Button } from '@krapao/ui/components/button.tsx';
import { PhoneField } from '@krapao/ui/components/field.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { config } from '../../platform/config.ts';
import { errorText } from '../../platform/error-text.ts';
import styles from '../../platform/steps.module.css';
import { useIsShown } from '../../platform/use-is-shown.ts';
import { useRequired } from '../../platform/use-required.ts';
import type { Forgot } from './use-forgot.ts';

/** The number the code is sent to. */
export function PhoneStep({ forgot }: { forgot: Forgot }) {
  const { t } = useText();
  const { isComplete, onInput, errorOf } = useRequired(['phone']);
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isComplete(event.currentTarget)) return;
    const phone = String(new FormData(event.currentTarget).get('phone'));
    if (normalisePhone(phone, config.variant) === null) return setWrong(true);
    setBusy(true);
    try {
      await forgot.needCode(phone);
      if (isShown()) forgot.go('otp');
    } catch (error) {
      if (isShown()) showToast('bad', errorText(t, error));
    }
    setBusy(false);
  };

  return (
    <form
      className={styles.form}
      method="dialog"
      noValidate
      onSubmit={submit}
      onInput={(event) => {
        onInput(event);
        setWrong(false);
      }}
    >
      <div>
        <h1>{t('forgot.title')}</h1>
        <p className={styles.lead}>{t('forgot.phoneLead')}</p>
      </div>
      <PhoneField
        label={t('auth.phone')}
        name="phone"
        autoComplete="username"
        defaultValue={forgot.phone || undefined}
        error={isWrong ? t(config.variant === 'th' ? 'valid.phone10' : 'valid.phone') : errorOf('phone')}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('btn.next')}
      </Button>
    </form>
  );
}

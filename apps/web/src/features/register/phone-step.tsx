import { normalisePhone } from '@krapao/contract/shared';
import { Button } from '@krapao/ui/components/button.tsx';
import { PhoneField } from '@krapao/ui/components/field.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { config } from '../../platform/config.ts';
import { errorText } from '../../platform/error-text.ts';
import styles from '../../platform/steps.module.css';
import { useRequired } from '../../platform/use-required.ts';
import { needCode } from './send-otp.ts';
import type { Wizard } from './use-wizard.ts';

/** The phone number, which becomes the username. */
export function PhoneStep({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  const { isComplete, onInput, errorOf } = useRequired(['phone']);
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    wizard.keep(event);
    if (!isComplete(event.currentTarget)) return;
    const { phone } = wizard.draft;
    if (normalisePhone(phone, config.variant) === null) return setWrong(true);
    setBusy(true);
    try {
      const next = await needCode(wizard);
      if (wizard.isAt('phone')) wizard.go(next);
    } catch (error) {
      if (wizard.isAt('phone')) showToast('bad', errorText(t, error));
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
        wizard.keep(event);
        onInput(event);
        setWrong(false);
      }}
    >
      <div>
        <h1>{t('register.phoneTitle')}</h1>
        <p className={styles.lead}>{t('register.phoneLead')}</p>
      </div>
      <PhoneField
        label={t('auth.phone')}
        name="phone"
        autoComplete="tel-national"
        defaultValue={wizard.draft.phone || undefined}
        error={isWrong ? t(config.variant === 'th' ? 'valid.phone10' : 'valid.phone') : errorOf('phone')}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('btn.next')}
      </Button>
      <p className={styles.resend}>
        <span>
          {t('register.haveAccount')}{' '}
          <Link className={styles.change} to="/login">
            {t('auth.login')}
          </Link>
        </span>
      </p>
    </form>
  );
}

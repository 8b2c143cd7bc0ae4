import { OTP_DIGITS } from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import { Button } from '@krapao/ui/parts/button.tsx';
import { Icon } from '@krapao/ui/parts/icon.tsx';
import { MessageBox } from '@krapao/ui/parts/message-box.tsx';
import { Otp } from '@krapao/ui/parts/otp.tsx';
import { showToast } from '@krapao/ui/parts/toast.tsx';
import { phoneText } from '@krapao/ui/text/account-text.ts';
import { countdownText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, ShieldCheck } from 'lucide';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import styles from './register.module.css';
import { sendOtp } from './send-otp.ts';
import type { Wizard } from './use-wizard.ts';

/** How long a code lives and how soon a new one may be asked for, as the server has it. */
const LIVES_S = 300;
const RESEND_S = 60;

/** The code that was sent by SMS. Six digits are sent as soon as they are there. */
export function OtpStep({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  const [digits, setDigits] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const verify = async (otpCode: string) => {
    if (otpCode.length !== OTP_DIGITS || isBusy || !wizard.otp) return;
    setBusy(true);
    try {
      await api('POST /api/otp/verify', { body: { otpToken: wizard.otp.token, otpCode } });
      wizard.go('profile', { replace: true });
    } catch (error) {
      showToast('bad', errorText(t, error));
      setWrong(codeOf(error) === 'OTP_CODE_INVALID');
      if (codeOf(error) === 'OTP_CODE_INVALID') setDigits('');
      setBusy(false);
    }
  };
  const type = (next: string) => {
    setDigits(next);
    setWrong(false);
    verify(next);
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        verify(digits);
      }}
    >
      <div>
        <h1>{t('otp.enter')}</h1>
        <p className={styles.lead}>
          {t('otp.sentBySms')} <b>{phoneText(wizard.draft.phone.trim())}</b>{' '}
          <button type="button" className={styles.change} onClick={wizard.back}>
            {t('otp.changePhone')}
          </button>
        </p>
      </div>
      <Otp label={t('otp.enter')} value={digits} onChange={type} isWrong={isWrong} />
      <Facts wizard={wizard} />
      <Button type="submit" isWide isBusy={isBusy} disabled={digits.length !== OTP_DIGITS}>
        {t('btn.confirm')}
      </Button>
      <Resend wizard={wizard} />
      <MessageBox tone="info" icon={ShieldCheck}>
        {t('otp.secret')}
      </MessageBox>
    </form>
  );
}

function Facts({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  const left = LIVES_S - (useNow(1000) - (wizard.otp?.sentAt ?? 0)) / 1000;
  return (
    <div className={styles.facts}>
      <span>
        {t('otp.reference')}
        <b>{wizard.otp?.ref}</b>
      </span>
      <span role="timer">
        <Icon of={Clock} size={16} />
        {left > 0 ? t('qr.expiresIn', { time: countdownText(left) }) : t('otp.expired')}
      </span>
    </div>
  );
}

function Resend({ wizard }: { wizard: Wizard }) {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const left = Math.ceil(RESEND_S - (useNow(1000) - (wizard.otp?.sentAt ?? 0)) / 1000);
  const resend = async () => {
    setBusy(true);
    try {
      const next = await sendOtp(wizard);
      if (next === 'profile') wizard.go(next, { replace: true });
    } catch (error) {
      showToast('bad', errorText(t, error));
    }
    setBusy(false);
  };
  if (left > 0) return <p className={styles.resend}>{t('otp.resendIn', { seconds: left })}</p>;
  return (
    <Button tone="text" isWide isSmall isBusy={isBusy} onClick={resend}>
      {t('otp.resend')}
    </Button>
  );
}

import { OTP_DIGITS } from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Otp } from '@krapao/ui/components/otp.tsx';
import { hideToast, showToast } from '@krapao/ui/components/toast.tsx';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import { phoneText } from '@krapao/ui/text/account-text.ts';
import { countdownText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, ShieldCheck } from 'lucide';
import { useState } from 'react';
import { errorText } from './error-text.ts';
import styles from './steps.module.css';
import { useIsShown } from './use-is-shown.ts';

/** How soon a new code may be requested, by the server's settings. */
const RESEND_S = 60;

/** A requested code: for whom, when, and for how many seconds it is valid. */
export interface SentCode {
  /** As stored by the server. */
  phone: string;
  ref: string;
  token: string;
  sentAt: number;
  expiresIn: number;
}

interface OtpFormProps {
  /** Where the code went, in words before the number. */
  lead: string;
  phone: string;
  sent: SentCode | null;
  /** Checks six digits and goes on; throws the refusal. */
  onCheck: (otpCode: string) => Promise<void>;
  /** Requests another code; throws the refusal. */
  onResend: () => Promise<void>;
  onChangePhone: () => void;
}

/** A code that was sent by SMS. Six digits are checked as soon as they are there. */
export function OtpForm({ lead, phone, sent, onCheck, onResend, onChangePhone }: OtpFormProps) {
  const { t } = useText();
  const [digits, setDigits] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();

  const check = async (otpCode: string) => {
    if (otpCode.length !== OTP_DIGITS || isBusy) return;
    setBusy(true);
    // The refusal of the code before would stand over the next step.
    hideToast();
    try {
      await onCheck(otpCode);
    } catch (error) {
      if (!isShown()) return;
      showToast('bad', errorText(t, error));
      setWrong(codeOf(error) === 'OTP_CODE_INVALID');
      if (codeOf(error) === 'OTP_CODE_INVALID') setDigits('');
      setBusy(false);
    }
  };
  const type = (next: string) => {
    setDigits(next);
    setWrong(false);
    check(next);
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        check(digits);
      }}
    >
      <div>
        <h1>{t('otp.enter')}</h1>
        <p className={styles.lead}>
          {lead} <b>{phoneText(phone.trim())}</b>{' '}
          <button type="button" className={styles.change} onClick={onChangePhone}>
            {t('otp.changePhone')}
          </button>
        </p>
      </div>
      <Otp label={t('otp.enter')} value={digits} onChange={type} isWrong={isWrong} />
      <Facts sent={sent} />
      <Button type="submit" isWide isBusy={isBusy} disabled={digits.length !== OTP_DIGITS}>
        {t('btn.confirm')}
      </Button>
      <Resend sent={sent} onResend={onResend} />
      <MessageBox tone="info" icon={ShieldCheck}>
        {t('otp.secret')}
      </MessageBox>
    </form>
  );
}

const secondsSince = (sent: SentCode | null, now: number): number => (now - (sent?.sentAt ?? 0)) / 1000;

function Facts({ sent }: { sent: SentCode | null }) {
  const { t } = useText();
  const left = (sent?.expiresIn ?? 0) - secondsSince(sent, useNow(1000));
  return (
    <div className={styles.facts}>
      <span>
        {t('otp.reference')}
        <b>{sent?.ref}</b>
      </span>
      <span role="timer">
        <Icon of={Clock} size={16} />
        {left > 0 ? t('qr.expiresIn', { time: countdownText(left) }) : t('otp.expired')}
      </span>
    </div>
  );
}

function Resend({ sent, onResend }: { sent: SentCode | null; onResend: () => Promise<void> }) {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const left = Math.ceil(RESEND_S - secondsSince(sent, useNow(1000)));
  const resend = async () => {
    setBusy(true);
    await onResend().catch((error: unknown) => isShown() && showToast('bad', errorText(t, error)));
    setBusy(false);
  };
  if (left > 0) return <p className={styles.resend}>{t('otp.resendIn', { seconds: left })}</p>;
  return (
    <Button tone="text" isWide isSmall isBusy={isBusy} onClick={resend}>
      {t('otp.resend')}
    </Button>
  );
}

import { OTP_DIGITS } from '@krapao/contract/shared';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Otp } from '@krapao/ui/components/otp.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';

/** Why a PIN was not accepted, in words of its own for those refusals that are about the PIN. */
function problemText(t: Translate, error: unknown): string {
  if (codeOf(error) === 'WRONG_PASSWORD') return t('pin.wrong');
  const minutes = error instanceof ApiError && error.data.minutes;
  if (codeOf(error) === 'REQUEST_LIMIT' && minutes) return t('pin.blocked', { minutes: Number(minutes) });
  return errorText(t, error);
}

interface PinStepProps {
  /** The purpose of the PIN, as text. */
  lead: string;
  onProven: () => void;
  onBack: () => void;
  onClose: () => void;
}

/** Requests the PIN that the member set for payouts; six digits are checked as soon as they are there. */
export function PinStep({ lead, onProven, onBack, onClose }: PinStepProps) {
  const { t } = useText();
  const [digits, setDigits] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const prove = async (pin: string) => {
    if (pin.length !== OTP_DIGITS || isBusy) return;
    setBusy(true);
    try {
      await api('POST /api/account/pin/prove', { body: { pin } });
      onProven();
    } catch (error) {
      setProblem(problemText(t, error));
      setDigits('');
      setBusy(false);
    }
  };
  const type = (next: string) => {
    setDigits(next);
    setProblem(null);
    prove(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove(digits);
  };
  const foot = (
    <Button type="submit" form="pin-step" isWide isBusy={isBusy} disabled={digits.length !== OTP_DIGITS}>
      {t('btn.confirm')}
    </Button>
  );
  return (
    <Sheet title={t('pin.enter')} onClose={onClose} onBack={onBack} footer={foot}>
      <p className={layout.label}>{lead}</p>
      <form id="pin-step" onSubmit={submit}>
        <Otp label={t('pin.enter')} value={digits} onChange={type} isWrong={problem !== null} isSecret />
      </form>
      {problem && <MessageBox tone="bad">{problem}</MessageBox>}
      <p className={layout.caption}>{t('pin.forgot')}</p>
    </Sheet>
  );
}

import { AmountField, QuickAmounts } from '@krapao/ui/components/amount-field.tsx';
import { BankSelect } from '@krapao/ui/components/bank-select.tsx';
import { Button, type ButtonTone } from '@krapao/ui/components/button.tsx';
import { Chips } from '@krapao/ui/components/chips.tsx';
import { DateField } from '@krapao/ui/components/date-field.tsx';
import { CheckField, Field, PasswordField, PhoneField } from '@krapao/ui/components/field.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Otp } from '@krapao/ui/components/otp.tsx';
import { PictureUpload } from '@krapao/ui/components/picture-upload.tsx';
import { Segmented } from '@krapao/ui/components/segmented.tsx';
import { Stepper } from '@krapao/ui/components/stepper.tsx';
import { Switch } from '@krapao/ui/components/switch.tsx';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Moon, Sun, User } from 'lucide';
import { useState } from 'react';
import styles from './gallery.module.css';

const TONES = Object.keys({
  primary: 0,
  soft: 0,
  line: 0,
  text: 0,
  bad: 0,
  gold: 0,
  danger: 0,
} satisfies Record<ButtonTone, 0>) as ButtonTone[];
const BANKS = [
  { code: 'KBANK', nameTH: 'ธนาคารกสิกรไทย', nameEN: 'Kasikornbank', color: '#137a2a' },
  { code: 'SCB', nameTH: 'ธนาคารไทยพาณิชย์', nameEN: 'Siam Commercial Bank', color: '#4e2e7f' },
];

/** What is typed and pressed. */
export function FieldSamples() {
  const { t } = useText();
  const [bank, setBank] = useState('KBANK');
  const [digits, setDigits] = useState('4072');
  return (
    <section className={styles.group}>
      <Stepper
        steps={[t('register.stepPhone'), t('otp.otp'), t('register.stepProfile'), t('bank.bank')]}
        current={1}
      />
      <PhoneField label={t('auth.phone')} error={t('valid.phone10')} defaultValue="081555" />
      <PasswordField label={t('auth.password')} defaultValue="secret" />
      <Field label={t('auth.name')} icon={User} hint={t('register.phoneLead')} />
      <CheckField label={t('auth.rememberMe')} defaultChecked />
      <BankSelect
        label={t('bank.bank')}
        banks={BANKS}
        recommended={['KBANK']}
        value={bank}
        onChange={setBank}
      />
      <Days />
      <Otp label={t('otp.enter')} value={digits} onChange={setDigits} />
      <Otp label={t('pin.enter')} value="12" onChange={() => undefined} isWrong isSecret />
      <Amounts />
      <Segmented
        label={t('theme.title')}
        options={[
          { value: 'light', label: t('theme.light'), icon: Sun },
          { value: 'dark', label: t('theme.dark'), icon: Moon },
        ]}
        value="light"
        onChange={() => undefined}
      />
      <Chips
        label={t('statement.kind')}
        options={[
          { value: 'all', label: t('statement.all') },
          { value: 'deposit', label: t('type.deposit') },
          { value: 'withdraw', label: t('type.withdraw') },
        ]}
        value="deposit"
        onChange={() => undefined}
      />
      <Slips />
      <MessageBox tone="bad" title={t('withdraw.belowMin', { min: '100.00' })}>
        {t('withdraw.addMore', { amount: '40.00' })}
      </MessageBox>
      <MessageBox tone="warn">{t('qr.expired')}</MessageBox>
      <MessageBox tone="ok">{t('deposit.inWallet')}</MessageBox>
      <MessageBox tone="info">{t('otp.secret')}</MessageBox>
      <div className={styles.row}>
        {TONES.map((tone) => (
          <Button key={tone} tone={tone}>
            {t('btn.confirm')}
          </Button>
        ))}
        <Button isBusy>{t('btn.confirm')}</Button>
        <Button disabled>{t('btn.confirm')}</Button>
      </div>
    </section>
  );
}

/** A day, and a row that is on or off. */
function Days() {
  const { t } = useText();
  const [day, setDay] = useState('2026-11-21');
  const [isOn, setOn] = useState(true);
  return (
    <>
      <DateField label={t('statement.fromDay')} max="2026-11-30" value={day} onChange={setDay} />
      <Switch title={t('push.hides')} isOn={isOn} onChange={setOn} />
      <Switch title={t('push.hides')} isOn={false} isBusy onChange={setOn} />
    </>
  );
}

/** The slip before it is chosen, and half way to the server. */
function Slips() {
  const { t } = useText();
  const slip = {
    name: t('slip.slip'),
    prompt: t('slip.choose'),
    accept: 'image/*',
    hint: t('slip.formats', { limit: 10 }),
    doing: t('slip.sending'),
    onChoose: () => undefined,
    onRemove: () => undefined,
  };
  return (
    <>
      <PictureUpload {...slip} picture={null} progress={null} />
      <PictureUpload
        {...slip}
        picture={{ name: 'slip-20261121-1432.jpg', bytes: 1_250_000, url: '/icon.svg' }}
        progress={0.68}
      />
    </>
  );
}

function Amounts() {
  const { t } = useText();
  const [typed, setTyped] = useState('500');
  return (
    <>
      <AmountField
        label={t('money.amount')}
        currency="BAHT"
        value={typed}
        onChange={setTyped}
        isWrong={typed === ''}
      />
      <QuickAmounts
        label={t('deposit.quick')}
        amounts={[100, 500, 1000, 5000]}
        chosen={parseAmount(typed, 'BAHT')}
        onChoose={(amount) => setTyped(String(amount))}
        all={{ label: t('transfer.allShort'), amount: 12_480.75 }}
      />
      <QuickAmounts
        label={t('deposit.quick')}
        amounts={[100_000, 500_000, 1_000_000, 5_000_000]}
        chosen={null}
        onChoose={(amount) => setTyped(String(amount))}
        all={{ label: t('transfer.allShort'), amount: 0 }}
      />
    </>
  );
}

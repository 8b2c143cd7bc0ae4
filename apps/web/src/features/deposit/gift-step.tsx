import type { MemberApi } from '@krapao/contract/member';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { Field } from '@krapao/ui/components/field.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Gift, Link, Users } from 'lucide';
import { type FormEvent, useState } from 'react';
import { playErrorText } from '../../platform/member/error-text.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { backSheet, closeSheet, swapSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { AllChannels } from './all-channels.tsx';
import styles from './deposit.module.css';
import { GiftDone } from './gift-done.tsx';
import { ownRow, useGift } from './use-gift.ts';

type GiftReceipt = MemberApi['POST /api/wallet/truelink']['reply'];

/** A deposit by the link of a gift envelope. */
export function GiftStep({ minimum, isUsual }: { minimum: number; isUsual: boolean }) {
  const [receipt, setReceipt] = useState<GiftReceipt | null>(null);
  if (receipt) return <GiftDone receipt={receipt} />;
  return <GiftForm minimum={minimum} isUsual={isUsual} onDone={setReceipt} />;
}

interface GiftFormProps {
  minimum: number;
  isUsual: boolean;
  onDone: (receipt: GiftReceipt) => void;
}

function GiftForm({ minimum, isUsual, onDone }: GiftFormProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const { link, setLink, problem, isBusy, send } = useGift(onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const foot = (
    <Button type="submit" form="gift-form" isWide icon={Gift} disabled={link.trim() === ''} isBusy={isBusy}>
      {t('deposit.giftSend')}
    </Button>
  );
  return (
    <Sheet
      title={t('deposit.giftTab')}
      onClose={closeSheet}
      onBack={isUsual ? undefined : backSheet}
      footer={foot}
    >
      <form id="gift-form" onSubmit={submit}>
        <Field
          label={t('deposit.giftLink')}
          icon={Link}
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={500}
          placeholder="https://gift.truemoney.com/…"
          value={link}
          onChange={(event) => setLink(event.target.value)}
          hint={t('deposit.giftMin', { min: sumText(t, minimum, currency) })}
        />
      </form>
      {problem !== null && <Problem of={problem} />}
      <ul className={styles.notes}>
        <li className={styles.note}>
          <Icon of={Gift} size={20} />
          {t('deposit.giftHow')}
        </li>
        <li className={styles.note}>
          <Icon of={Users} size={20} />
          {t('deposit.giftShared')}
        </li>
      </ul>
      {isUsual && <AllChannels />}
    </Sheet>
  );
}

/** Why the link was not taken. One that the member has sent before leads to its receipt. */
function Problem({ of: problem }: { of: unknown }) {
  const { t } = useText();
  const own = ownRow(problem);
  if (own !== null)
    return (
      <>
        <MessageBox tone="info">{t('deposit.giftOwn')}</MessageBox>
        <Button tone="soft" isWide onClick={() => swapSheet('receipt', own)}>
          {t('receipt.view')}
        </Button>
      </>
    );
  return (
    <MessageBox tone="bad">
      {codeOf(problem) === 'PROVIDER_UNAVAILABLE' ? t('deposit.giftUnavailable') : playErrorText(t, problem)}
    </MessageBox>
  );
}

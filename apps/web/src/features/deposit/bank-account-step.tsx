import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownToLine, Clock, ImagePlus, UserCheck } from 'lucide';
import { backSheet, closeSheet, openSheet } from '../../platform/sheet-state.ts';
import { AccountCard } from './account-card.tsx';
import { AllChannels } from './all-channels.tsx';
import { type DepositBank, slipKey, takesSlips } from './channels.ts';
import styles from './deposit.module.css';
import { ReportButton } from './report-button.tsx';

interface BankAccountStepProps {
  bank: DepositBank;
  isManual: boolean;
  /** It was opened at once, without the list of channels. */
  isUsual: boolean;
}

/** An account to transfer to from one's bank app, and what to do when the money does not come. */
export function BankAccountStep({ bank, isManual, isUsual }: BankAccountStepProps) {
  const { t } = useText();
  const hasSlip = takesSlips(bank);
  const foot = (hasSlip || isManual) && (
    <div className={styles.actions}>
      {hasSlip && (
        <Button isWide tone="line" icon={ImagePlus} onClick={() => openSheet('deposit', slipKey(bank))}>
          {t('deposit.slip')}
        </Button>
      )}
      {isManual && <ReportButton bank={bank} />}
    </div>
  );
  const notes = [
    { icon: ArrowDownToLine, text: t('deposit.autoHow') },
    { icon: UserCheck, text: t('deposit.ownAccount') },
    { icon: Clock, text: t('deposit.oneMinute') },
    ...(hasSlip ? [{ icon: ImagePlus, text: t('deposit.slipWhenLate') }] : []),
  ];
  return (
    <Sheet
      title={t('deposit.bank')}
      onClose={closeSheet}
      onBack={isUsual ? undefined : backSheet}
      footer={foot}
    >
      <AccountCard bank={bank} />
      <ul className={styles.notes}>
        {notes.map(({ icon, text }) => (
          <li key={text} className={styles.note}>
            <Icon of={icon} size={20} />
            {text}
          </li>
        ))}
      </ul>
      {isUsual && <AllChannels />}
    </Sheet>
  );
}

import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { phoneText } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownToLine, Clock, UserCheck, WalletMinimal } from 'lucide';
import { backSheet, closeSheet } from '../../platform/sheet-state.ts';
import { AllChannels } from './all-channels.tsx';
import type { DepositWallet } from './channels.ts';
import styles from './deposit.module.css';
import { ReportButton } from './report-button.tsx';

interface WalletStepProps {
  wallet: DepositWallet;
  isManual: boolean;
  /** It was opened at once, without the list of channels. */
  isUsual: boolean;
}

/** A mobile wallet of ours to send to from one's own; its number copied with one tap. */
export function WalletStep({ wallet, isManual, isUsual }: WalletStepProps) {
  const { t } = useText();
  const notes = [
    { icon: ArrowDownToLine, text: t('deposit.walletHow') },
    { icon: UserCheck, text: t('deposit.walletOwn') },
    { icon: Clock, text: t('deposit.oneMinute') },
  ];
  return (
    <Sheet
      title={t('deposit.walletSend')}
      onClose={closeSheet}
      onBack={isUsual ? undefined : backSheet}
      footer={isManual && <ReportButton />}
    >
      <div className={layout.card}>
        <Item
          lead={<BadgeIcon icon={WalletMinimal} tone="quiet" />}
          over={t('deposit.walletName')}
          title={<span className={layout.num}>{phoneText(wallet.walletAccountNo)}</span>}
          detail={wallet.walletAccountName}
          trail={<CopyButton text={wallet.walletAccountNo} label={t('deposit.walletNo')} />}
        />
      </div>
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

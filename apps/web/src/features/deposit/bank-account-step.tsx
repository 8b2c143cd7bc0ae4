import { BankInitial } from '@krapao/ui/parts/bank-select.tsx';
import { CopyButton } from '@krapao/ui/parts/copy-button.tsx';
import { Icon } from '@krapao/ui/parts/icon.tsx';
import { Item } from '@krapao/ui/parts/item.tsx';
import { Sheet } from '@krapao/ui/parts/sheet.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { accountText } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, UserCheck } from 'lucide';
import { useBankColor, useBankName } from '../../platform/member/names.ts';
import { backSheet, closeSheet } from '../../platform/sheet-state.ts';
import type { DepositBank } from './channels.ts';
import styles from './deposit.module.css';

/** An account to transfer to from one's bank app. */
export function BankAccountStep({ bank }: { bank: DepositBank }) {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  return (
    <Sheet title={t('deposit.bank')} onClose={closeSheet} onBack={backSheet}>
      <div className={layout.card}>
        <Item
          lead={<BankInitial code={bank.bankCode} color={colorOf(bank.bankCode)} />}
          over={bankName(bank.bank)}
          title={<span className={layout.num}>{accountText(bank.bankAccountNo)}</span>}
          detail={bank.bankAccountName}
          trail={<CopyButton text={bank.bankAccountNo} label={t('bank.accountNo')} />}
        />
      </div>
      <ul className={styles.notes}>
        <li className={styles.note}>
          <Icon of={UserCheck} size={20} />
          {t('deposit.ownAccount')}
        </li>
        <li className={styles.note}>
          <Icon of={Clock} size={20} />
          {t('deposit.oneMinute')}
        </li>
      </ul>
    </Sheet>
  );
}

import { BankInitial } from '@krapao/ui/components/bank-select.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { accountText } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useBankColor, useBankName } from '../../platform/member/names.ts';
import type { DepositBank } from './channels.ts';

/** An account of ours, its number copied with one tap. */
export function AccountCard({ bank }: { bank: DepositBank }) {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  return (
    <div className={layout.card}>
      <Item
        lead={<BankInitial code={bank.bankCode} color={colorOf(bank.bankCode)} />}
        over={bankName(bank.bank)}
        title={<span className={layout.num}>{accountText(bank.bankAccountNo, bank.bankCode)}</span>}
        detail={bank.bankAccountName}
        trail={<CopyButton text={bank.bankAccountNo} label={t('bank.accountNo')} />}
      />
    </div>
  );
}

import { type BankNames, shortBankNameIn } from '@krapao/ui/text/bank-name.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { banksQuery } from './queries.ts';
import { useWallet } from './wallet.ts';
import { gameName } from './wallet-merge.ts';

/** A bank's short name for the reader. */
export function useBankName(): (bank: BankNames) => string {
  const { language, hold } = useText();
  return (bank) => hold(shortBankNameIn(bank, language));
}

/** The colour of a bank's initials. */
export function useBankColor(): (code: string) => string | null {
  const { data } = useQuery(banksQuery);
  return (code) => data?.find((bank) => bank.code === code)?.color ?? null;
}

/** Where money comes from or goes to, as rows and receipts name it: wallet, a game, a bank, staff, or a reward. */
export function usePlaceName(): (code: string) => string {
  const { t, hold } = useText();
  const bankName = useBankName();
  const { data: banks } = useQuery(banksQuery);
  const { data: wallet } = useWallet();
  return (code) => {
    if (code === 'wallet') return t('wallet.main');
    if (code === 'manual') return t('statement.byStaff');
    if (code === 'gift') return t('deposit.giftTab');
    if (code === 'TRUEMONEY') return t('deposit.walletName');
    if (REWARDS.has(code)) return t('type.bonus');
    const game = gameName(wallet, code);
    const bank = banks?.find((other) => other.code === code);
    return game ? hold(game) : bank ? bankName(bank) : code;
  };
}

const REWARDS = new Set(['bonus', 'promotion', 'invite', 'refund', 'luckydraw']);

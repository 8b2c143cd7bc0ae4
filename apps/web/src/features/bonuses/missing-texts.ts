import { useText } from '@krapao/ui/text/text.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { sumText } from '../../platform/sum-text.ts';
import { type Figures, missingOf } from './rules.ts';

/** What a run lacks, in words. */
export function useMissingTexts() {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const sum = (amount: number) => sumText(t, amount, currency);
  return {
    /** Empty when nothing is missing. */
    missing(figures: Figures): string {
      const { balance, turnover } = missingOf(figures);
      return [
        balance > 0 && t('bonus.balanceLeft', { amount: sum(balance) }),
        turnover > 0 && t('bonus.turnoverLeft', { amount: sum(turnover) }),
      ]
        .filter(Boolean)
        .join(' · ');
    },
    /** The other way it ends. */
    orFloor: ({ floor }: Figures): string =>
      floor > 0 ? t('bonus.orFloor', { floor: sum(floor) }) : t('bonus.orNothing'),
  };
}

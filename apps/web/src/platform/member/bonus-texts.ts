import { useText } from '@krapao/ui/text/text.tsx';
import { sumText } from '../sum-text.ts';
import { type Figures, missingOf, type Run } from './bonus-run.ts';
import { useKnownWallet } from './wallet.ts';

const KINDS = {
  bonus: 'bonus.bonus',
  promotion: 'promo.promotion',
  invite: 'invite.bonus',
  refund: 'bonus.refund',
  luckydraw: 'bonus.luckydraw',
} as const;

/** Texts about a run, in the reader's language. */
export function useRunTexts() {
  const { t, hold } = useText();
  const { currency } = useKnownWallet().wallet;
  const sum = (amount: number) => sumText(t, amount, currency);
  return {
    /** What kind of reward started it. */
    kind: ({ type }: Pick<Run, 'type'>): string => t(KINDS[type]),
    /** Its title in the operators' words where it has one, else its kind. */
    name: ({ type, name }: Pick<Run, 'type' | 'name'>): string =>
      type === 'bonus' || type === 'promotion' ? hold(name) : t(KINDS[type]),
    /** What it lacks; empty when nothing is missing. */
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

import { useText } from '@krapao/ui/text/text.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { roundSum } from '../../platform/sum-text.ts';
import type { Bonus, Offer } from './queries.ts';

/** Texts about an offer in the member's currency. */
export function useOfferTexts() {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const sum = (amount: number) => roundSum(t, amount, currency);
  return {
    /** What it gives: a sum, or a part of the deposit up to a cap. */
    award({ terms: { award } }: Pick<Offer, 'terms'>): string {
      if (award.fixed !== null) return t('bonus.getFixed', { amount: sum(award.fixed) });
      const percent = award.percent ?? 0;
      if (award.most === null) return t('bonus.getPercent', { percent });
      return t('bonus.getPercentMost', { percent, most: sum(award.most) });
    },
    /** The same without its cap, for a card. */
    awardShort({ terms: { award } }: Pick<Offer, 'terms'>): string {
      if (award.fixed !== null) return t('bonus.getFixed', { amount: sum(award.fixed) });
      return t('bonus.getPercent', { percent: award.percent ?? 0 });
    },
    /** The required deposit; null without one. */
    deposit({ terms: { deposit } }: Pick<Offer, 'terms'>): string | null {
      if (!deposit) return null;
      if (deposit.most === null) return t('bonus.depositFrom', { min: sum(deposit.least) });
      return t('bonus.depositRange', { min: sum(deposit.least), max: sum(deposit.most) });
    },
    /** The minimum deposit; null without one. */
    leastDeposit: ({ terms: { deposit } }: Pick<Offer, 'terms'>): string | null =>
      deposit && sum(deposit.least),
    /** How often it can be had. */
    often({ type, maxReceived: count }: Pick<Bonus, 'type' | 'maxReceived'>): string {
      if (type === 'day') return t('bonus.perDay', { count });
      return type === 'week' ? t('bonus.perWeek', { count }) : t('bonus.perMember', { count });
    },
  };
}

import type { Currency } from '@krapao/contract/shared';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { sumText } from '../../platform/sum-text.ts';
import type { Limit } from './queries.ts';

const KIND_TEXTS = { deposit: 'limit.deposit', loss: 'limit.loss', reminder: 'limit.reminder' } as const;
const PERIOD_TEXTS = { day: 'limit.day', week: 'limit.week', month: 'limit.month' } as const;

const valueText = (t: Translate, kind: Limit['kind'], amount: number | null, currency: Currency): string => {
  if (amount === null) return t('limit.none');
  return kind === 'reminder' ? t('limit.every', { count: amount }) : sumText(t, amount, currency);
};

/** A limit as text: its kind, its state, and its pending change. */
export function useLimitTexts() {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  return {
    kindOf: (kind: Limit['kind']) => t(KIND_TEXTS[kind]),
    periodOf: (period: Limit['period']) => (period === 'session' ? '' : t(PERIOD_TEXTS[period])),
    stateOf: ({ kind, amount, used }: Limit) =>
      amount !== null && used !== null
        ? t('limit.used', { used: sumText(t, used, currency), amount: sumText(t, amount, currency) })
        : valueText(t, kind, amount, currency),
    nextOf: ({ kind, next }: Limit) =>
      next &&
      t('limit.next', {
        time: dateTimeText(next.from),
        amount: valueText(t, kind, next.amount, currency),
      }),
  };
}

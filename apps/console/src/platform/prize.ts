import { PRIZES, type PrizeKind } from '@krapao/contract/prizes';
import { type Currency, localized } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import type { Body } from './api.ts';

type Plan = Body<'POST /api/operator/wheels'>['plan'];
export type Prize = NonNullable<Plan['slices'][number]['prize']>;
export type Texts = Prize['name'];
/** A figure that may not be written yet. */
export type Figure = number | null;

export const NO_TEXT: Texts = localized(() => '');

/** A prize as it is being written. */
export interface PrizeDraft {
  kind: PrizeKind;
  name: Texts;
  value: Figure;
  couponDays: Figure;
  successPercent: Figure;
  failPercent: Figure;
  turnoverTimes: Figure;
  withdrawMost: Figure;
  days: Figure;
  /** Unchanged: the console does not write it. */
  games: NonNullable<Prize['terms']>['games'];
}

const USUAL = {
  successPercent: 200,
  failPercent: 10,
  turnoverTimes: 0,
  withdrawMost: null,
  days: 30,
  games: null,
};

/** A prize laid out to be written on; a new one is cash. */
export const prizeDraftOf = (prize?: Prize | null): PrizeDraft => ({
  kind: prize?.kind ?? 'CASH',
  name: prize?.name ?? NO_TEXT,
  value: prize ? prize.value : null,
  couponDays: prize?.couponDays ?? 30,
  ...(prize?.terms ?? USUAL),
});

export const isFull = (texts: Texts): boolean => Object.values(texts).every((text) => text.trim() !== '');
const isBetween = (figure: Figure, least: number, most: number): figure is number =>
  figure !== null && figure >= least && figure <= most;

function termsOf(draft: PrizeDraft): Prize['terms'] {
  const { successPercent, failPercent, turnoverTimes, days, withdrawMost, games } = draft;
  if (successPercent !== 0 && !isBetween(successPercent, 101, 10_000)) return null;
  if (!isBetween(failPercent, 0, 99) || !isBetween(turnoverTimes, 0, 1000) || !isBetween(days, 1, 365))
    return null;
  if (successPercent === 0 && turnoverTimes === 0) return null;
  return { successPercent, failPercent, turnoverTimes, days, withdrawMost, games };
}

/** The prize that was written; null while something is missing or cannot be so. */
export function prizeOf(draft: PrizeDraft): Prize | null {
  const { kind, name, value, couponDays } = draft;
  const { redeemedTo, hasTerms } = PRIZES[kind];
  const terms = hasTerms ? termsOf(draft) : null;
  if (!isFull(name) || !isBetween(couponDays, 1, 365) || (hasTerms && !terms)) return null;
  if (redeemedTo !== 'delivery' && !value) return null;
  if (value !== null && value < 0) return null;
  return { kind, name, value: value ?? 0, terms, couponDays };
}

/** The value of one, as text. */
export function worthText(
  t: Translate,
  { kind, value }: { kind: PrizeKind; value: Figure },
  currency: Currency,
): string {
  if (value === null) return '–';
  if (PRIZES[kind].unit === 'coins') return t('prize.coins', { count: value });
  if (PRIZES[kind].redeemedTo === 'delivery' && value === 0) return '–';
  return CURRENCY_SYMBOL[currency] + amountText(value);
}

/** Its kind and value; coins show both as one text. */
export const prizeText = (
  t: Translate,
  prize: Parameters<typeof worthText>[1],
  currency: Currency,
): string =>
  PRIZES[prize.kind].unit === 'coins'
    ? worthText(t, prize, currency)
    : `${t(`prizeKind.${prize.kind}`)} ${worthText(t, prize, currency)}`;

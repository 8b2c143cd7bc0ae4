import type { Currency } from '@krapao/contract/shared';
import { amountText, shortAmount } from '@krapao/ui/text/amount-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';

const withUnit = (t: Translate, figure: string, currency: Currency): string =>
  `${figure}\u00a0${t(currency === 'LAK' ? 'currency.kip' : 'currency.baht')}`;

/** Money in a sentence: the word follows the figure and never leaves its line. */
export const sumText = (t: Translate, amount: number, currency: Currency): string =>
  withUnit(t, amountText(amount), currency);

const RATE_DECIMALS = 6;

/** What one credit of a game costs, in a sentence: exactly, rates are stored in millionths. */
export function rateText(t: Translate, rate: number, currency: Currency): string {
  const [, decimals = ''] = rate.toFixed(RATE_DECIMALS).split('.');
  const head = amountText(Math.trunc(rate)).slice(0, -'00'.length);
  return withUnit(t, head + decimals.replace(/(\d\d\d*?)0+$/, '$1'), currency);
}

/** A round sum in a sentence, without decimals it does not have. */
export const roundSum = (t: Translate, amount: number, currency: Currency): string =>
  withUnit(t, shortAmount(amount), currency);

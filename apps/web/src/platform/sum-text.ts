import type { Currency } from '@krapao/contract/shared';
import { amountText, shortAmount } from '@krapao/ui/text/amount-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';

/** Money in a sentence: the word follows the figure and never leaves its line. */
export const sumText = (t: Translate, amount: number, currency: Currency): string =>
  `${amountText(amount)}\u00a0${t(currency === 'LAK' ? 'currency.kip' : 'currency.baht')}`;

/** A round sum in a sentence, without decimals it does not have. */
export const roundSum = (t: Translate, amount: number, currency: Currency): string =>
  `${shortAmount(amount)}\u00a0${t(currency === 'LAK' ? 'currency.kip' : 'currency.baht')}`;

import { asciiDigits, CURRENCY_DECIMALS, type Currency } from '@krapao/contract/shared';

/** Symbols stand only on balances and rows; in sentences the currency's word follows the figure. */
export const CURRENCY_SYMBOL: Record<Currency, string> = { BAHT: '฿', LAK: '₭' };

export type Sign = '+' | '−' | '';

/** The sign of an amount whose direction matters; zero counts as added. */
export const signOf = (amount: number): Sign => (amount < 0 ? '−' : '+');

/**
 * Two decimals in every language and currency: 1234.5 → "1,234.50". Making an Intl.NumberFormat takes a phone 40 ms.
 */
export function amountText(amount: number): string {
  const [head = '', decimals = ''] = amount.toFixed(2).split('.');
  return `${head.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}

/** As short as the figure allows, for chips: 1000 → "1,000", 2.5 → "2.5". */
export const shortAmount = (amount: number): string => amountText(amount).replace(/\.?0+$/, '');

/** The figure cut at its point: "1,234" and ".50", because the decimals are drawn smaller. */
export function splitAmount(amount: number): { head: string; tail: string } {
  const text = amountText(amount);
  return { head: text.slice(0, -3), tail: text.slice(-3) };
}

/** Commas between groups of three digits and nowhere else. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

const withoutGroups = (text: string): string => (GROUPED.test(text) ? text.replaceAll(',', '') : text);

/**
 * The figure that was typed, or null when it is none: commas may separate thousands only, so that "100,50" is not read
 * as 10050, and there may be at most `decimals` decimals. Without decimals ".0" and ".00" are read too, because
 * {@link amountText} writes every amount with two.
 */
export function parseFigure(typed: string, decimals: number): number | null {
  const text = withoutGroups(typed.replace(/\s/g, ''));
  const match = /^\d{1,13}(?:\.(\d*))?$/.exec(text);
  if (!match) return null;
  const fraction = match[1] ?? '';
  const isZero = decimals === 0 && /^0{1,2}$/.test(fraction);
  return fraction.length <= decimals || isZero ? Number(text) : null;
}

/**
 * What was typed into an amount field as a number in the member's currency, or null when it is not one. Zero is a
 * number; whether it is enough is the caller's rule.
 */
export const parseAmount = (typed: string, currency: Currency): number | null =>
  parseFigure(typed, CURRENCY_DECIMALS[currency]);

/**
 * Takes away what is around an amount, such as its symbol and grouping commas; Thai, Lao and full-width digits become
 * ASCII. What would make it another amount stays as
 * it was typed, a sign, a decimal comma or surplus decimals, so that {@link parseAmount} finds none and the form reports it.
 */
export function cleanAmount(typed: string): string {
  return withoutGroups(asciiDigits(typed).replace(/[^\d.,-]/g, ''))
    .replace(/^0+(?=\d)/, '')
    .replace(/^\./, '0.')
    .slice(0, TYPED_MAX);
}

/** Enough for 13 digits, the point and decimals. */
const TYPED_MAX = 17;

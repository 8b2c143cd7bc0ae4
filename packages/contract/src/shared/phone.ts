import { asciiDigits } from './digits.ts';
import type { Variant } from './rules.ts';

/**
 * A phone number as people write it, as it is stored and compared; null when it is none. Spaces, dashes, dots,
 * brackets and invisible characters are dropped, Thai, Lao and full-width digits become ASCII. The Thai variant takes
 * ten digits, or nine behind the country code (+66, 0066, 66) with or without the 0. The Lao variant drops the country
 * code (+856, 00856; 856 before 8 to 10 digits) and one leading 0, and takes any length from 1 to 20. Lao numbers have at
 * most ten digits without the 0, so one that begins with 856 itself is no longer than ten and stays whole.
 */
export function normalisePhone(typed: string, variant: Variant): string | null {
  const digits = asciiDigits(typed).replace(/[\s().\u200B-\u200F\u202A-\u202E\u2060\uFEFF\p{Pd}]/gu, '');
  if (variant === 'la') {
    const subscriber = digits.replace(/^(?:(?:\+|00)856|856(?=0?\d{8,10}$))/, '').replace(/^0/, '');
    return /^\d{1,20}$/.test(subscriber) ? subscriber : null;
  }
  if (/^\d{10}$/.test(digits)) return digits;
  const national = /^(?:\+|00)?660?(\d{9})$/.exec(digits)?.[1];
  return national ? `0${national}` : null;
}

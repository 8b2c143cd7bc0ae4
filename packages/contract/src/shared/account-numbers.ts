/** How account numbers are typed, how banks print them, and what may be shown of one. */
import { asciiDigits } from './digits.ts';

/** Digits in each group, by bank; a number of another length is not grouped. */
const GROUPS: Readonly<Record<string, readonly number[]>> = {
  ...groupsOf([3, 1, 5, 1], 'SCB KBANK KTB BBL BAY CIMB LHB IBANK'),
  ...groupsOf([3, 1, 5, 3], 'GSB BAAC GHB'),
  ...groupsOf([3, 6, 1], 'TMB KKP CITI'),
  ...groupsOf([3, 3, 3, 1], 'UOB'),
  ...groupsOf([4, 3, 6, 1], 'TISCO'),
};

function groupsOf(groups: readonly number[], banks: string): Record<string, readonly number[]> {
  return Object.fromEntries(banks.split(' ').map((bank) => [bank, groups]));
}

/**
 * An account number as people write it, as it is stored and compared; null when it is none. Spaces, dashes and invisible
 * characters are dropped, Thai, Lao and full-width digits become ASCII. No other character is dropped: what is left without
 * it may be another person's number.
 */
export function normaliseAccountNo(typed: string): string | null {
  const digits = asciiDigits(typed).replace(/[\s\u200B-\u200F\u202A-\u202E\u2060\uFEFF\p{Pd}]/gu, '');
  return /^\d+$/.test(digits) ? digits : null;
}

/** Returns an account number in the groups that its bank prints; as it is where these are not known. */
export function printedAccountNo(accountNo: string, bankCode: string): string {
  const groups = GROUPS[bankCode] ?? [];
  if (groups.reduce((sum, size) => sum + size, 0) !== accountNo.length) return accountNo;
  let from = 0;
  return groups
    .map((size) => {
      from += size;
      return accountNo.slice(from - size, from);
    })
    .join('-');
}

/** Returns the same with only the four digits before the last one shown, as on bank slips: "xxx-x-x6789-x". */
export function slipAccountNo(accountNo: string, bankCode: string): string {
  const last = accountNo.length - 1;
  const masked = [...accountNo].map((digit, at) => (at >= last - 4 && at < last ? digit : 'x'));
  return printedAccountNo(masked.join(''), bankCode);
}

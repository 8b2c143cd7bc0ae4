import type { Currency } from './money.ts';

/** Rules that the form hints with and the server decides by. */

/** The version shown on the contact page and announced by the API document. */
export const APP_VERSION = '1.1.14';

export type Variant = 'th' | 'la';

/** The currencies that members of a variant may have. */
export const currenciesOf = (variant: Variant): Currency[] => (variant === 'la' ? ['BAHT', 'LAK'] : ['BAHT']);

/** Header that names the client; every call of the member app carries it. */
export const CLIENT_MARKER = { name: 'X-Requested-With', value: 'wallet-user' } as const;

/** The header the operators' console sends with every call; no form and no other site's page can send it. */
export const CONSOLE_MARKER = { name: 'X-Requested-With', value: 'console-operator' } as const;
/**
 * Marks the console's calls that follow the operator's own input within seconds. Only they keep an idle session alive;
 * it decides nothing else.
 */
export const USER_INPUT = { name: 'X-User-Input', value: '1' } as const;

export const PHONE_DIGITS_TH = 10;
export const OTP_DIGITS = 6;

/** Quick amounts offered for a QR deposit, in baht. */
const QR_QUICK_AMOUNTS = {
  KBANK: [10, 20, 50, 100, 500, 1000],
  WW: [100, 200, 300, 500, 1000],
  ZAPMAN: [100, 200, 300, 500, 1000],
} as const;

/** The same for a code of the Lao network, in kip, whatever bank receives it. */
const QR_QUICK_KIP = [10_000, 50_000, 100_000, 300_000, 500_000, 1_000_000] as const;

/** Quick amounts of a bank's QR in the member's currency. */
export const quickAmounts = (bankCode: string, currency: Currency): readonly number[] =>
  currency === 'LAK' ? QR_QUICK_KIP : (QR_QUICK_AMOUNTS[bankCode as keyof typeof QR_QUICK_AMOUNTS] ?? []);

/** Banks whose account name must be written in English letters. */
export const ENGLISH_NAME_BANKS: readonly string[] = ['KTB', 'TMB', 'BBL'];

/** Banks shown first and marked in the Thai variant. */
export const RECOMMENDED_BANKS_TH: readonly string[] = ['KBANK', 'KTB'];

/** Whether an account name is English letters and spaces only. */
export const isEnglishName = (name: string): boolean => /^[A-Za-z]+(?: [A-Za-z]+)*$/.test(name);

/** First and last name as stored: NFC, upper case, trimmed, one space between the parts. */
export const joinAccountName = (firstName: string, lastName: string): string =>
  `${firstName} ${lastName}`.normalize('NFC').replace(/\s+/g, ' ').trim().toUpperCase();

/** How many rows operators' lists count before they say that there are more. */
export const COUNTED_MAX = 10_000;

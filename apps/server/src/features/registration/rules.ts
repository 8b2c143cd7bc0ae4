import {
  type Currency,
  ENGLISH_NAME_BANKS,
  isEnglishName,
  normalisePhone,
  type Variant,
} from '@krapao/contract/shared';
import type { Refuse } from '../../platform/refusal.ts';

/** Codes with which a bank account is refused. */
export type BankAccountCode = 'INVALID_BANK' | 'BANK_ACCOUNT_NAME_ENG' | 'INVALID_USER_INFO';

export interface BankInput {
  bankCode: string;
  bankAccountName: string;
  bankAccountNo: string;
}

/** The phone as stored, or PHONE_NUMBER_REQUIRE_10_DIGIT. */
export function requirePhone(
  refuse: Refuse<'INVALID_USER_INFO' | 'PHONE_NUMBER_REQUIRE_10_DIGIT'>,
  typed: string,
  variant: Variant,
): string {
  const phone = normalisePhone(typed, variant);
  if (phone === null) throw refuse(variant === 'th' ? 'PHONE_NUMBER_REQUIRE_10_DIGIT' : 'INVALID_USER_INFO');
  return phone;
}

/**
 * Characters that show nothing, with those that turn the direction of what follows: two names that look the same must
 * compare the same, and no name may rearrange the texts beside it.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A name as stored: NFC (never NFKC, which splits ำ and ຳ), no invisible characters, single spaces. */
export function requireName(refuse: Refuse<'INVALID_USER_INFO'>, name: string): string {
  const clean = name.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
  if (clean === '' || /[\p{Cc}<>]/u.test(clean)) throw refuse('INVALID_USER_INFO');
  return clean;
}

/** The member's currency: baht in the Thai variant, LAK unless BAHT was chosen in the Lao one. */
export function requireCurrency(
  refuse: Refuse<'INVALID_USER_INFO'>,
  currency: 'BAHT' | 'LAK' | undefined,
  variant: Variant,
): Currency {
  if (variant === 'la') return currency ?? 'LAK';
  if (currency === 'LAK') throw refuse('INVALID_USER_INFO');
  return 'BAHT';
}

const ACCOUNT_LENGTHS_DEFAULT = { min: 6, max: 20 };

/**
 * A bank account as stored: known bank, digits only (spaces and dashes dropped), name upper-cased with single spaces,
 * English letters at the banks that demand them. Throws INVALID_BANK or BANK_ACCOUNT_NAME_ENG.
 */
export function requireBankAccount(
  refuse: Refuse<BankAccountCode>,
  input: BankInput,
  bank: { account_lengths: number[] | null } | undefined,
): BankInput {
  const digits = input.bankAccountNo.replace(/[\s-]/g, '');
  const name = requireName(refuse, input.bankAccountName).toUpperCase();
  if (!bank || !/^\d+$/.test(digits)) throw refuse('INVALID_BANK');
  const lengthFits = bank.account_lengths
    ? bank.account_lengths.includes(digits.length)
    : digits.length >= ACCOUNT_LENGTHS_DEFAULT.min && digits.length <= ACCOUNT_LENGTHS_DEFAULT.max;
  if (!lengthFits) throw refuse('INVALID_BANK');
  if (ENGLISH_NAME_BANKS.includes(input.bankCode) && !isEnglishName(name))
    throw refuse('BANK_ACCOUNT_NAME_ENG');
  return { bankCode: input.bankCode, bankAccountNo: digits, bankAccountName: name };
}

/** The inviter's id in a code of the form PR{id}; null for any other text. */
export const inviterIdOf = (code: string): bigint | null =>
  /^PR\d{1,12}$/i.test(code) ? BigInt(code.slice(2)) : null;

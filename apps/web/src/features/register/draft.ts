import { normaliseAccountNo } from '@krapao/contract/account-numbers';
import type { MemberApi } from '@krapao/contract/member';
import {
  type Currency,
  ENGLISH_NAME_BANKS,
  isEnglishName,
  joinAccountName,
  normalisePhone,
} from '@krapao/contract/shared';
import { config } from '../../platform/config.ts';

/** What has been typed so far, over all steps; going back loses nothing. */
export interface Draft {
  phone: string;
  name: string;
  password: string;
  again: string;
  sourceCode: string;
  inviteCode: string;
  bankCode: string;
  accountNo: string;
  firstName: string;
  lastName: string;
  currency: Currency;
  /** The confirmed minimum age; null while unconfirmed, or where none is required. */
  age: number | null;
  /** The phone of a registration that got no response: it may be complete. Empty without one. */
  unanswered: string;
}

export const emptyDraft = (currency: Currency): Draft => ({
  phone: '',
  name: '',
  password: '',
  again: '',
  sourceCode: '',
  inviteCode: '',
  bankCode: '',
  accountNo: '',
  firstName: '',
  lastName: '',
  currency,
  age: null,
  unanswered: '',
});

/** Whether this bank requires an English name and the typed one is not. */
export function isNameRefused({ bankCode, firstName, lastName }: Draft): boolean {
  return ENGLISH_NAME_BANKS.includes(bankCode) && !isEnglishName(joinAccountName(firstName, lastName));
}

/**
 * Whether a refusal with this code may be about the member's own registration, which got no response. The bank account is
 * theirs also when they have gone on with another phone.
 */
export function isMaybeRegistered({ unanswered, phone }: Draft, code: string): boolean {
  if (unanswered === '') return false;
  const isSame = normalisePhone(unanswered, config.variant) === normalisePhone(phone, config.variant);
  return code === 'EXISTING_BANK' || (code === 'EXISTING_USER' && isSame);
}

/** What is sent before the bank step. */
export function personOf(draft: Draft, withCurrency: boolean) {
  return {
    name: draft.name.trim(),
    username: draft.phone.trim(),
    password: draft.password,
    sourceCode: draft.sourceCode,
    ...(draft.inviteCode.trim() ? { inviteCode: draft.inviteCode.trim() } : {}),
    ...(withCurrency ? { currency: draft.currency } : {}),
    ...(draft.age === null ? {} : { age: draft.age }),
  } satisfies MemberApi['POST /api/account/validate']['body'];
}

/** The whole registration. */
export function registrationOf(draft: Draft, withCurrency: boolean): MemberApi['POST /api/account']['body'] {
  return {
    ...personOf(draft, withCurrency),
    bankCode: draft.bankCode,
    bankAccountName: joinAccountName(draft.firstName, draft.lastName),
    bankAccountNo: normaliseAccountNo(draft.accountNo) ?? '',
  };
}

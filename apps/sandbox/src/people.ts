/** People with a phone and bank accounts: the initial ones, and those created later. */
import {
  accountKey,
  OPENING_MINOR,
  openAccount,
  openCompanyAccounts,
  openWatchedAccounts,
} from './bank/accounts.ts';
import { findBank, isPlausibleAccount, MOBILE_WALLET } from './environment/banks.ts';
import { nowMs } from './environment/clock.ts';
import { changed, type Environment, nextNumber } from './environment/environment.ts';
import { drawText } from './environment/random.ts';
import type { Account, Person } from './environment/state.ts';
import { openAgents } from './games/agents.ts';
import { openGatewayAccounts } from './gateways/merchants.ts';

/**
 * A phone number as the sandbox compares it: digits with one leading zero, country codes 66 and 856 dropped.
 * Null when it cannot be a number (fewer than 8 or more than 15 digits).
 */
export function canonicalPhone(typed: string): string | null {
  const digits = typed.replace(/[\s().+-]/g, '');
  if (!/^\d{8,15}$/.test(digits)) return null;
  const national = /^66\d{9}$/.test(digits) ? digits.slice(2) : digits.replace(/^856(?=\d{8,})/, '');
  return national.startsWith('0') ? national : `0${national}`;
}

/** The person with this (canonical) phone number. */
export const personByPhone = (environment: Environment, phone: string): Person | undefined =>
  [...environment.state.persons.values()].find((person) => person.phone === phone);

/** A person's accounts, oldest first. */
export const accountsOf = (environment: Environment, personId: string): Account[] =>
  [...environment.state.accounts.values()].filter(({ ownerId }) => ownerId === personId);

export interface WantedPerson {
  name: string;
  /** Canonical. */
  phone: string;
  bankCode?: string;
  accountNo?: string;
  accountName?: string;
  openingMinor?: bigint;
}

/**
 * Adds a person with an account (KBANK and a drawn number unless stated). A known phone number keeps its person,
 * takes the new name, and gains the account if it is new.
 */
export function addPerson(environment: Environment, wanted: WantedPerson): Person {
  const known = personByPhone(environment, wanted.phone);
  const person: Person = known ?? {
    id: `p${nextNumber(environment, 'person')}`,
    name: wanted.name,
    phone: wanted.phone,
    createdAtMs: nowMs(environment),
  };
  person.name = wanted.name;
  environment.state.persons.set(person.id, person);
  if (!known || wanted.accountNo) giveAccount(environment, person, wanted);
  giveWallet(environment, person);
  changed(environment);
  return person;
}

/** Why somebody cannot move in. */
export type PersonRefusal = 'BAD_PHONE' | 'UNKNOWN_BANK' | 'INVALID_ACCOUNT' | 'ACCOUNT_TAKEN';

/** `addPerson` for what people and programs typed: checks phone, bank and account first. */
export function admitPerson(
  environment: Environment,
  typed: {
    name: string;
    phone: string;
    bankCode?: string;
    accountNo?: string;
    accountName?: string;
    openingMinor?: bigint;
  },
): Person | PersonRefusal {
  const phone = canonicalPhone(typed.phone);
  if (!phone) return 'BAD_PHONE';
  const bank = findBank(typed.bankCode || 'KBANK');
  if (!bank) return 'UNKNOWN_BANK';
  const accountNo = typed.accountNo?.replace(/[\s-]/g, '') || undefined;
  if (accountNo && !isPlausibleAccount(bank, accountNo)) return 'INVALID_ACCOUNT';
  const taken = accountNo && environment.state.accounts.get(accountKey({ bankCode: bank.code, accountNo }));
  if (taken && taken.ownerId !== 'other' && taken.ownerId !== personByPhone(environment, phone)?.id)
    return 'ACCOUNT_TAKEN';
  return addPerson(environment, { ...typed, phone, bankCode: bank.code, accountNo });
}

function giveAccount(environment: Environment, person: Person, wanted: WantedPerson): void {
  const bank = findBank(wanted.bankCode ?? 'KBANK')!;
  const account = openAccount(environment, {
    bankCode: bank.code,
    accountNo: wanted.accountNo ?? freeNumber(environment, bank.code, bank.digits[0]!),
    name: wanted.accountName ?? person.name,
    ownerId: person.id,
    openingMinor: wanted.openingMinor ?? OPENING_MINOR,
  });
  // A payout to an unknown account may have opened it before its holder was added.
  if (account.ownerId === 'other') account.ownerId = person.id;
}

/** Everybody with a Thai phone has the mobile wallet too, under that number. */
function giveWallet(environment: Environment, { id, name, phone }: Person): void {
  if (/^0\d{9}$/.test(phone))
    openAccount(environment, { bankCode: MOBILE_WALLET.code, accountNo: phone, name, ownerId: id });
}

function freeNumber(environment: Environment, bankCode: string, digits: number): string {
  for (;;) {
    const accountNo = `2${drawText(environment, digits - 1, '0123456789')}`;
    if (!environment.state.accounts.has(accountKey({ bankCode, accountNo }))) return accountNo;
  }
}

/** The person with this number, created when a message reaches an unknown number. */
export const personForMessage = (environment: Environment, phone: string): Person =>
  personByPhone(environment, phone) ?? addPerson(environment, { name: phone, phone });

/** Adds the first persons, the company's accounts and the game agents. */
export function populate(environment: Environment): void {
  openCompanyAccounts(environment);
  openAgents(environment);
  const cast: [string, string, string, string][] = [
    ['สมหญิง ใจดี', '0815550142', 'KBANK', '1234567890'],
    ['ธนา มั่นคง', '0815550167', 'SCB', '4078811245'],
    ['ມະນີວັນ ສີສະຫວັດ', '02055550142', 'BCEL', '010120005554'],
  ];
  for (const [name, phone, bankCode, accountNo] of cast)
    addPerson(environment, { name, phone, bankCode, accountNo });
  openGatewayAccounts(environment);
  openWatchedAccounts(environment);
}

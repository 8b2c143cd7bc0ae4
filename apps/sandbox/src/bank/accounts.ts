/** Bank accounts and the only function that moves money between them. */
import { BANGKOK_OFFSET_MS } from '@krapao/contract/durations';
import type { Currency } from '@krapao/contract/shared';
import { findBank, isPlausibleAccount, MOBILE_WALLET } from '../environment/banks.ts';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment, nextNumber } from '../environment/environment.ts';
import { happen } from '../environment/happenings.ts';
import { type Account, type BankLine, COMPANY_OWNER } from '../environment/state.ts';

/** The product's own account behind the biller id. */
export const COMPANY = {
  billerId: '010753600031501',
  bankCode: 'KBANK',
  accountNo: '1112223334',
  name: 'บริษัท กระเป๋า จำกัด',
} as const;

/** Accounts of the product whose statements are watched; the last one is in kip. */
export const WATCHED = [
  { bankCode: 'SCB', accountNo: '2223334445', name: COMPANY.name },
  { bankCode: 'KBANK', accountNo: '3334445556', name: COMPANY.name },
  { bankCode: 'GSB', accountNo: '020123456789', name: COMPANY.name },
  { bankCode: MOBILE_WALLET.code, accountNo: '0815550199', name: COMPANY.name },
  { bankCode: 'BCEL', accountNo: '010120008887', name: 'KRAPAO CO LTD' },
] as const;

/** The currency of an account: kip at Lao banks. The sandbox counts hundredths of either. */
export const currencyOf = (account: { bankCode: string }): Currency =>
  findBank(account.bankCode)?.bot === undefined && account.bankCode !== MOBILE_WALLET.code ? 'LAK' : 'BAHT';

/** What a customer account starts with. */
export const OPENING_MINOR = 5_000_000n;
const COMPANY_OPENING_MINOR = 500_000_000n;

export const accountKey = (account: { bankCode: string; accountNo: string }): string =>
  `${account.bankCode}:${account.accountNo}`;

/** An account by `BANK:number`, or by number alone when only one bank has it. */
export function findAccount(environment: Environment, keyOrNumber: string): Account | undefined {
  const exact = environment.state.accounts.get(keyOrNumber);
  if (exact) return exact;
  const digits = keyOrNumber.replace(/\D/g, '');
  const found = [...environment.state.accounts.values()].filter(({ accountNo }) => accountNo === digits);
  return found.length === 1 ? found[0] : undefined;
}

/** Opens an account; returns the existing one when bank and number are taken. */
export function openAccount(
  environment: Environment,
  wanted: { bankCode: string; accountNo: string; name: string; ownerId: string; openingMinor?: bigint },
): Account {
  const key = accountKey(wanted);
  const existing = environment.state.accounts.get(key);
  if (existing) return existing;
  const openingMinor = wanted.openingMinor ?? OPENING_MINOR;
  const account: Account = { ...wanted, openingMinor, balanceMinor: openingMinor };
  environment.state.accounts.set(key, account);
  changed(environment);
  return account;
}

/** Opens the product's own accounts. */
export function openCompanyAccounts(environment: Environment): void {
  const { bankCode, accountNo, name } = COMPANY;
  openAccount(environment, {
    bankCode,
    accountNo,
    name,
    ownerId: COMPANY_OWNER,
    openingMinor: COMPANY_OPENING_MINOR,
  });
}

/** Opens the accounts whose statements are watched. */
export function openWatchedAccounts(environment: Environment): void {
  for (const account of WATCHED)
    openAccount(environment, { ...account, ownerId: COMPANY_OWNER, openingMinor: 0n });
}

/**
 * The account behind a number at a bank; null when implausible. An unknown account is created with this
 * name, and enters the books with its first money.
 */
export function receivingAccount(
  environment: Environment,
  bankCode: string,
  accountNo: string,
  name: string,
): Account | null {
  const bank = findBank(bankCode);
  if (!bank || !isPlausibleAccount(bank, accountNo)) return null;
  const known = environment.state.accounts.get(accountKey({ bankCode: bank.code, accountNo }));
  return (
    known ?? { bankCode: bank.code, accountNo, name, ownerId: 'other', openingMinor: 0n, balanceMinor: 0n }
  );
}

export interface Move {
  from: Account;
  to: Account;
  amountMinor: bigint;
  kind: BankLine['kind'];
  reference: string;
  transRef: string;
}

/** Moves money and writes both lines; false, with nothing moved, when the payer has too little. */
export function moveMoney(
  environment: Environment,
  { from, to, amountMinor, kind, reference, transRef }: Move,
): boolean {
  if (amountMinor <= 0n || from.balanceMinor < amountMinor || from === to) return false;
  const atMs = nowMs(environment);
  const write = (account: Account, other: Account, signedMinor: bigint) => {
    account.balanceMinor += signedMinor;
    environment.state.lines.push({
      id: `line-${nextNumber(environment, 'line')}`,
      atMs,
      accountKey: accountKey(account),
      amountMinor: signedMinor,
      balanceMinor: account.balanceMinor,
      kind,
      counterName: other.name,
      counterKey: accountKey(other),
      reference,
      transRef,
    });
  };
  environment.state.accounts.set(accountKey(to), to);
  write(from, to, -amountMinor);
  write(to, from, amountMinor);
  changed(environment);
  happen(environment, 'bank', { reference });
  return true;
}

/** A bank's own reference for a movement: business day in Bangkok, bank, running number. */
export function transRefOf(environment: Environment, bankCode: string): string {
  const day = new Date(nowMs(environment) + BANGKOK_OFFSET_MS).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}${findBank(bankCode)?.bot ?? '999'}${String(nextNumber(environment, 'transfer')).padStart(9, '0')}`;
}

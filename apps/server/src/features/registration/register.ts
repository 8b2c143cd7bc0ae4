import { HOUR_MS } from '@krapao/contract/durations';
import { registration } from '@krapao/contract/member';
import type { Currency } from '@krapao/contract/shared';
import { openMemberAccount } from '../../ledger/index.ts';
import { requireAddressWithinLimit } from '../../platform/attempts.ts';
import type { Config } from '../../platform/config.ts';
import { isDatabaseAway } from '../../platform/database/away.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { requireStrongPassword } from '../../platform/password-policy.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { isVerified, type PhoneProofDeps, sendCode, verifyCode } from './phone-proof.ts';
import {
  bankAccountIsTaken,
  findBank,
  insertBankAccount,
  insertMember,
  isDepositAccount,
  mayInvite,
  nextMemberId,
  phoneIsTaken,
  sourceExists,
} from './queries.ts';
import {
  type BankAccountCode,
  type BankInput,
  inviterIdOf,
  requireBankAccount,
  requireCurrency,
  requireName,
  requirePhone,
} from './rules.ts';

export interface RegistrationDeps extends PhoneProofDeps {
  config: Config;
}

/** What storing a member whose input has been checked needs. */
export type StoreDeps = Pick<RegistrationDeps, 'pool' | 'clock' | 'secrets'>;

interface Person {
  name: string;
  username: string;
  password: string;
  sourceCode: string;
  currency?: 'BAHT' | 'LAK' | undefined;
  age?: number | undefined;
}

const UNIQUE_VIOLATION = '23505';

/** How bank numbers are sealed and found again; one purpose everywhere. */
export const bankFingerprint = (
  deps: { secrets: RegistrationDeps['secrets'] },
  bankCode: string,
  digits: string,
): Buffer => deps.secrets.fingerprint('bank-account', `${bankCode} ${digits}`);

async function checkPerson(
  refuse: Refuse<'UNVERIFIED_OTP' | 'INVALID_USER_INFO' | 'PHONE_NUMBER_REQUIRE_10_DIGIT' | 'WEAK_PASSWORD'>,
  deps: RegistrationDeps,
  person: Person,
  address: string,
) {
  const phone = requirePhone(refuse, person.username, deps.config.variant);
  if (deps.settings.get('register.otp') && !(await isVerified(deps, phone, address)))
    throw refuse('UNVERIFIED_OTP');
  const name = requireName(refuse, person.name);
  const currency = requireCurrency(refuse, person.currency, deps.config.variant);
  if (!(await sourceExists(deps.pool, person.sourceCode)))
    throw refuse('INVALID_USER_INFO', undefined, 'unknown source');
  if (person.age !== undefined && person.age < deps.settings.get('register.age'))
    throw refuse('INVALID_USER_INFO', undefined, 'too young');
  await requireStrongPassword(refuse, deps, person.password, phone);
  return { phone, name, currency, ageConfirmed: person.age ?? null };
}

async function checkBank(
  refuse: Refuse<BankAccountCode | 'EXISTING_BANK'>,
  deps: RegistrationDeps,
  input: BankInput,
): Promise<BankInput> {
  const bank = await findBank(deps.pool, input.bankCode, deps.config.variant);
  const account = requireBankAccount(refuse, input, bank);
  if (await isDepositAccount(deps.pool, account.bankCode, account.bankAccountNo))
    throw refuse('EXISTING_BANK');
  return account;
}

/** The call reveals who is a member, so it is limited per address. */
async function refuseFlood(deps: RegistrationDeps, address: string): Promise<void> {
  const limit = { max: deps.settings.get('register.addressHourMax'), ms: HOUR_MS };
  await requireAddressWithinLimit(deps.limits, 'register-address', address, limit, deps.clock.now());
}

interface Accepted {
  phone: string;
  name: string;
  currency: Currency;
  /** Absent where the bank was not queried. */
  ageConfirmed?: number | null;
  sourceCode: string;
  inviteCode: string | undefined;
  passwordHash: string;
  bank: BankInput;
}

/** Writes member, ledger accounts and bank account together; the database's unique keys decide who was first. */
async function store(deps: StoreDeps, pool: Pool, accepted: Accepted): Promise<bigint> {
  const now = deps.clock.now();
  const inviterId = accepted.inviteCode ? inviterIdOf(accepted.inviteCode) : null;
  return inTransaction(pool, async (tx) => {
    const id = await nextMemberId(tx);
    const knownInviter = inviterId !== null && inviterId !== id && (await mayInvite(tx, inviterId));
    const open = (kind: 'wallet' | 'hold' | 'coin') =>
      openMemberAccount(tx, { memberId: id, kind, asset: kind === 'coin' ? 'COIN' : accepted.currency }, now);
    await insertMember(tx, {
      id,
      now,
      phone: accepted.phone,
      name: accepted.name,
      passwordHash: accepted.passwordHash,
      currency: accepted.currency,
      ageConfirmed: accepted.ageConfirmed ?? null,
      sourceCode: accepted.sourceCode,
      inviterId: knownInviter ? inviterId : null,
      unknownInviteCode: accepted.inviteCode && !knownInviter ? accepted.inviteCode : null,
      walletAccount: await open('wallet'),
      holdAccount: await open('hold'),
      coinAccount: await open('coin'),
    });
    await insertBankAccount(tx, {
      memberId: id,
      now,
      bankCode: accepted.bank.bankCode,
      name: accepted.bank.bankAccountName,
      sealed: deps.secrets.encrypt('bank-account', accepted.bank.bankAccountNo),
      fingerprint: bankFingerprint(deps, accepted.bank.bankCode, accepted.bank.bankAccountNo),
    });
    return id;
  });
}

/** Whether an error means that a row with this unique key exists already. */
export function violates(error: unknown, key: 'member_phone_key' | 'bank_account_once'): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === key;
}

/**
 * Registers a member whose input has been checked. Throws EXISTING_USER or EXISTING_BANK when a concurrent registration was first;
 * then nothing is left behind.
 */
export async function storeMember(
  refuse: Refuse<'EXISTING_USER' | 'EXISTING_BANK'>,
  deps: StoreDeps,
  accepted: Accepted,
): Promise<bigint> {
  try {
    return await store(deps, deps.pool, accepted);
  } catch (error) {
    if (violates(error, 'member_phone_key')) throw refuse('EXISTING_USER');
    if (violates(error, 'bank_account_once')) throw refuse('EXISTING_BANK');
    throw error;
  }
}

/** While registration is switched off, the form does not open and no code is sent. */
function requireOpen(refuse: Refuse<'REGISTER_FAIL'>, deps: RegistrationDeps): void {
  if (!deps.settings.get('register.open')) throw refuse('REGISTER_FAIL');
}

/** Answers validate, register and the two OTP calls. */
export function registrationCalls(declare: Declare, deps: RegistrationDeps): void {
  declare(registration.sendOtp, async ({ body, address, request, refuse }) => {
    requireOpen(refuse, deps);
    const phone = requirePhone(refuse, body.phoneNumber, deps.config.variant);
    deps.security.identify(request, { kind: 'member', name: phone });
    if (await isVerified(deps, phone, address))
      return { otpRef: null, otpToken: null, expiresIn: null, code: 'OTP_VERIFIED' as const };
    const language = languageOf(request, deps.config.variant);
    const intent = { phone, address, purpose: 'register' as const, language, requestId: body.requestId };
    return { ...(await sendCode(refuse, deps, intent)), code: 'SUCCESS' as const };
  });
  declare(registration.verifyOtp, async ({ body, address, refuse }) => {
    const attempt = { ...body, address, purpose: 'register' as const };
    await verifyCode(refuse, deps, attempt).catch((error: unknown) => {
      if (error instanceof Refusal || isDatabaseAway(error)) throw error;
      // Ours, not theirs: the code they typed may be right.
      throw refuse('OTP_VERIFY_FAIL', undefined, String(error));
    });
    return { code: 'OTP_CODE_VALID' as const };
  });
  declare(registration.validateRegistration, async ({ body, address, refuse }) => {
    requireOpen(refuse, deps);
    await refuseFlood(deps, address);
    const { phone } = await checkPerson(refuse, deps, body, address);
    if (await phoneIsTaken(deps.pool, phone)) throw refuse('EXISTING_USER');
    if (body.bankCode && body.bankAccountNo && body.bankAccountName) {
      const bank = await checkBank(refuse, deps, {
        bankCode: body.bankCode,
        bankAccountNo: body.bankAccountNo,
        bankAccountName: body.bankAccountName,
      });
      if (
        await bankAccountIsTaken(
          deps.pool,
          bank.bankCode,
          bankFingerprint(deps, bank.bankCode, bank.bankAccountNo),
        )
      )
        throw refuse('EXISTING_BANK');
    } else if (body.bankCode && !(await findBank(deps.pool, body.bankCode, deps.config.variant))) {
      throw refuse('INVALID_BANK');
    }
    return { message: 'OK' };
  });
  declare(registration.register, async ({ body, address, refuse }) => {
    requireOpen(refuse, deps);
    await refuseFlood(deps, address);
    const person = await checkPerson(refuse, deps, body, address);
    const bank = await checkBank(refuse, deps, body);
    const passwordHash = await hashPassword(body.password, { lane: 'member', address });
    const id = await storeMember(refuse, deps, {
      ...person,
      sourceCode: body.sourceCode,
      inviteCode: body.inviteCode || undefined,
      passwordHash,
      bank,
    });
    return { _id: String(id), username: person.phone };
  });
}

import { HOUR_MS } from '@krapao/contract/durations';
import { account } from '@krapao/contract/member';
import type { Pool } from 'pg';
import { openMemberAccount } from '../../ledger/index.ts';
import { countAtAddress } from '../../platform/attempts.ts';
import type { Config } from '../../platform/config.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { isDatabaseAway } from '../../platform/http/server.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { isVerified, type PhoneProofDeps, sendCode, verifyCode } from './phone-proof.ts';
import {
  bankAccountIsTaken,
  findBank,
  insertBankAccount,
  insertMember,
  memberExists,
  nextMemberId,
  phoneIsTaken,
  sourceExists,
} from './queries.ts';
import {
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

interface Person {
  name: string;
  username: string;
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

async function checkPerson(deps: RegistrationDeps, person: Person, address: string) {
  const phone = requirePhone(person.username, deps.config.variant);
  if (deps.settings.get('register.otp') && !(await isVerified(deps, phone, address)))
    throw new Refusal('UNVERIFIED_OTP');
  const name = requireName(person.name);
  const currency = requireCurrency(person.currency, deps.config.variant);
  if (!(await sourceExists(deps.pool, person.sourceCode)))
    throw new Refusal('INVALID_USER_INFO', undefined, 'unknown source');
  if (person.age !== undefined && person.age < deps.settings.get('register.age'))
    throw new Refusal('INVALID_USER_INFO', undefined, 'too young');
  return { phone, name, currency, ageConfirmed: person.age ?? null };
}

async function checkBank(deps: RegistrationDeps, input: BankInput): Promise<BankInput> {
  return requireBankAccount(input, await findBank(deps.pool, input.bankCode, deps.config.variant, true));
}

/** Who is a member can be asked here, so the asking is limited per address. */
async function refuseFlood(deps: RegistrationDeps, address: string): Promise<void> {
  const limit = { max: deps.settings.get('register.addressHourMax'), ms: HOUR_MS };
  const fits = await countAtAddress(deps.pool, 'register-address', address, limit, deps.clock.now());
  if (!fits) throw new Refusal('REQUEST_LIMIT');
}

interface Accepted {
  phone: string;
  name: string;
  currency: 'BAHT' | 'LAK';
  /** Left out where nobody was asked. */
  ageConfirmed?: number | null;
  sourceCode: string;
  inviteCode: string | undefined;
  passwordHash: string;
  bank: BankInput;
}

/** Writes member, ledger accounts and bank account together; the database's unique keys decide who was first. */
async function store(deps: RegistrationDeps, pool: Pool, accepted: Accepted): Promise<bigint> {
  const now = deps.clock.now();
  const inviterId = accepted.inviteCode ? inviterIdOf(accepted.inviteCode) : null;
  return inTransaction(pool, async (tx) => {
    const id = await nextMemberId(tx);
    const knownInviter = inviterId !== null && inviterId !== id && (await memberExists(tx, inviterId));
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

/** Turns the violated key into the code that names it. */
export function refusalOfConflict(error: unknown): Refusal | null {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== UNIQUE_VIOLATION) return null;
  if (constraint === 'member_phone_key') return new Refusal('EXISTING_USER');
  return constraint === 'bank_account_once' ? new Refusal('EXISTING_BANK') : null;
}

/**
 * Registers a member whose input has been checked. Throws EXISTING_USER or EXISTING_BANK when somebody was faster;
 * then nothing is left behind.
 */
export async function storeMember(deps: RegistrationDeps, accepted: Accepted): Promise<bigint> {
  try {
    return await store(deps, deps.pool, accepted);
  } catch (error) {
    throw refusalOfConflict(error) ?? error;
  }
}

/** While registration is switched off nobody is led through the form, nor sent a code, only to be refused at its end. */
function requireOpen(deps: RegistrationDeps): void {
  if (!deps.settings.get('register.open')) throw new Refusal('REGISTER_FAIL');
}

/** Answers validate, register and the two OTP calls. */
export function registrationCalls(declare: Declare, deps: RegistrationDeps): void {
  declare(account.sendOtp, async ({ body, address, request }) => {
    requireOpen(deps);
    const phone = requirePhone(body.phoneNumber, deps.config.variant);
    deps.security.identify(request, { kind: 'member', name: phone });
    if (await isVerified(deps, phone, address))
      return { otpRef: null, otpToken: null, expiresIn: null, code: 'OTP_VERIFIED' as const };
    return { ...(await sendCode(deps, phone, address)), code: 'SUCCESS' as const };
  });
  declare(account.verifyOtp, async ({ body, address }) => {
    const attempt = { ...body, address, purpose: 'register' as const };
    await verifyCode(deps, attempt).catch((error: unknown) => {
      if (error instanceof Refusal || isDatabaseAway(error)) throw error;
      // Ours, not his: the code he typed may be right.
      throw new Refusal('OTP_VERIFY_FAIL', undefined, String(error), 500);
    });
    return { code: 'OTP_CODE_VALID' as const };
  });
  declare(account.validateRegistration, async ({ body, address }) => {
    requireOpen(deps);
    await refuseFlood(deps, address);
    const { phone } = await checkPerson(deps, body, address);
    if (await phoneIsTaken(deps.pool, phone)) throw new Refusal('EXISTING_USER');
    if (body.bankCode && body.bankAccountNo && body.bankAccountName) {
      const bank = await checkBank(deps, {
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
        throw new Refusal('EXISTING_BANK');
    } else if (body.bankCode && !(await findBank(deps.pool, body.bankCode, deps.config.variant))) {
      throw new Refusal('INVALID_BANK');
    }
    return { message: 'OK' };
  });
  declare(account.register, async ({ body, address }) => {
    requireOpen(deps);
    await refuseFlood(deps, address);
    const person = await checkPerson(deps, body, address);
    const bank = await checkBank(deps, body);
    const passwordHash = await hashPassword(body.password, { lane: 'member', address });
    const id = await storeMember(deps, {
      ...person,
      sourceCode: body.sourceCode,
      inviteCode: body.inviteCode || undefined,
      passwordHash,
      bank,
    });
    return { _id: String(id), username: person.phone };
  });
}

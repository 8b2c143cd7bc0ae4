import { HOUR_MS } from '@krapao/contract/durations';
import { profile } from '@krapao/contract/member';
import { ENGLISH_NAME_BANKS, isEnglishName, type RefusalsOf } from '@krapao/contract/shared';
import { writeMemberAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Declare } from '../../platform/http/declare.ts';
import type { Limits } from '../../platform/limits.ts';
import { requireWithinLimit } from '../../platform/limits.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { bankNamesOf } from '../lookups/read.ts';
import {
  type BankAccountCode,
  type BankInput,
  bankAccountIsTaken,
  bankFingerprint,
  findBank,
  isDepositAccount,
  requireBankAccount,
  requireName,
} from '../registration/read.ts';
import {
  type AccountChangeDeps,
  accountChangeState,
  requestAccountChange,
  withdrawAccountChange,
} from './account-change.ts';
import {
  findActiveAccount,
  holdSession,
  lockUnclosed,
  readBankAccount,
  readMemberSince,
  writeAccountName,
  writeName,
} from './queries.ts';

export interface ProfileDeps extends AccountChangeDeps {
  limits: Limits;
}

/** Changes of one member in an hour: each new name is a row of the audit trail, each account number may be a guess. */
const CHANGES_HOUR_MAX = 60;

/** The member's active bank account with its whole number and the names of its bank. */
export async function readBankAccountView(deps: Pick<ProfileDeps, 'pool' | 'secrets'>, memberId: bigint) {
  const row = await readBankAccount(deps.pool, memberId);
  return {
    bankCode: row.bank_code,
    bankAccountName: row.account_name,
    bankAccountNo: deps.secrets.decrypt('bank-account', row.account_no_sealed),
    bank: bankNamesOf(row),
  };
}

async function change(
  refuse: Refuse<RefusalsOf<typeof profile.changeProfile>>,
  deps: ProfileDeps,
  member: Member,
  address: string,
  body: BankInput & { name: string },
) {
  const name = requireName(refuse, body.name);
  const bank = await findBank(deps.pool, body.bankCode, deps.config.variant, member.id);
  const wanted = requireBankAccount(refuse, body, bank);
  const fingerprint = bankFingerprint(deps, wanted.bankCode, wanted.bankAccountNo);
  const window = { key: `profile:${member.id}`, max: CHANGES_HOUR_MAX, ms: HOUR_MS };
  await requireWithinLimit(deps.limits, window, deps.clock.now());
  const who = { id: member.id, address, name: member.name };
  const status = await inTransaction(deps.pool, async (tx) => {
    // A new password locks the member, then ends sessions and requests: it waits for this transaction, or this one finds
    // the session ended.
    if (!(await lockUnclosed(tx, member.id)) || !(await holdSession(tx, member.tokenHash)))
      throw refuse('invalid-token');
    const present = (await findActiveAccount(tx, member.id))!;
    const isSameNumber = present.account_no_fingerprint.equals(fingerprint);
    const isSame = isSameNumber && present.account_name === wanted.bankAccountName;
    if (!isSameNumber && (await bankAccountIsTaken(tx, wanted.bankCode, fingerprint)))
      throw refuse('EXISTING_BANK');
    if (await isDepositAccount(tx, wanted.bankCode, wanted.bankAccountNo)) throw refuse('EXISTING_BANK');
    if (name !== member.name) {
      await writeName(tx, member.id, name);
      const auditEntry = { action: 'member.name', subject: entityRef('member', member.id) };
      const names = { before: { name: member.name }, after: { name } };
      await writeMemberAudit(tx, who, { ...auditEntry, ...names }, deps.clock.now());
    }
    if (!isSame) await requestAccountChange(deps, tx, who, present, { ...wanted, fingerprint });
    return isSame ? ('SUCCESS' as const) : ('PENDING' as const);
  });
  return { status };
}

/** Only the spelling may change here, and only where the bank demands another: the number stays. */
async function correctName(
  refuse: Refuse<BankAccountCode>,
  deps: ProfileDeps,
  member: Member,
  address: string,
  body: { bankCode: string; bankAccountName: string },
) {
  const present = (await findActiveAccount(deps.pool, member.id))!;
  const isAllowed =
    body.bankCode === present.bank_code &&
    ENGLISH_NAME_BANKS.includes(present.bank_code) &&
    !isEnglishName(present.account_name);
  if (!isAllowed) throw refuse('INVALID_BANK');
  const name = requireName(refuse, body.bankAccountName).toUpperCase();
  if (!isEnglishName(name)) throw refuse('BANK_ACCOUNT_NAME_ENG');
  await inTransaction(deps.pool, async (tx) => {
    if (!(await writeAccountName(tx, present.id, present.account_name, name))) throw refuse('INVALID_BANK');
    const names = { before: { accountName: present.account_name }, after: { accountName: name } };
    const auditEntry = { action: 'account.name', subject: entityRef('member', member.id), ...names };
    await writeMemberAudit(tx, { id: member.id, address }, auditEntry, deps.clock.now());
  });
  return { message: 'OK' };
}

/** Answers the calls of a member's own profile: read it, change it, correct an account's name. */
export function profileCalls(declare: Declare, deps: ProfileDeps): void {
  declare(profile.readProfile, async ({ member }) => ({
    profile: {
      _id: String(member.id),
      username: member.phone,
      name: member.name,
      createdAt: (await readMemberSince(deps.pool, member.id)).toISOString(),
    },
    bankAccount: await readBankAccountView(deps, member.id),
    ...(await accountChangeState(deps, member.id)),
  }));
  declare(profile.changeProfile, ({ member, body, address, refuse }) =>
    change(refuse, deps, member, address, body),
  );
  declare(profile.withdrawAccountRequest, async ({ member, address }) => {
    const who = { id: member.id, address };
    await inTransaction(deps.pool, (tx) => withdrawAccountChange(tx, who, deps.clock.now()));
    return { message: 'OK' };
  });
  declare(profile.correctAccountName, ({ member, body, address, refuse }) =>
    correctName(refuse, deps, member, address, body),
  );
}

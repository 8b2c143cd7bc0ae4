import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** Whether a phone belongs to a member. */
export async function phoneIsTaken(db: Db, phone: string): Promise<boolean> {
  return (await db.query('select 1 from member where phone = $1', [phone])).rows.length > 0;
}

/** Whether an active bank account has this bank and these digits. */
export async function bankAccountIsTaken(db: Db, bankCode: string, fingerprint: Buffer): Promise<boolean> {
  const result = await db.query(
    "select 1 from bank_account where bank_code = $1 and account_no_fingerprint = $2 and status = 'ACTIVE'",
    [bankCode, fingerprint],
  );
  return result.rows.length > 0;
}

/** Whether this is an account of ours into which members pay, closed or not: no member is paid from or into it. */
export async function isDepositAccount(db: Db, bankCode: string, accountNo: string): Promise<boolean> {
  const sql = 'select 1 from deposit_account where bank_code = $1 and account_no = $2';
  return (await db.query(sql, [bankCode, accountNo])).rows.length > 0;
}

export async function sourceExists(db: Db, code: string): Promise<boolean> {
  return (await db.query('select 1 from source where code = $1 and is_open', [code])).rows.length > 0;
}

/** A bank of a variant that a member may choose: one that is offered, or the bank of their own active account. */
export async function findBank(
  db: Db,
  code: string,
  variant: string,
  memberId: bigint | null = null,
): Promise<{ account_lengths: number[] | null } | undefined> {
  const result = await db.query(
    `select b.account_lengths from bank b where b.code = $1 and b.variant = $2 and (b.is_open
       or exists (select from bank_account a where a.member_id = $3 and a.bank_code = b.code and a.status = 'ACTIVE'))`,
    [code, variant, memberId],
  );
  return result.rows[0];
}

/** Whether a member exists who can still receive what an invite gives. */
export async function mayInvite(db: Db, id: bigint): Promise<boolean> {
  return (await db.query("select 1 from member where id = $1 and status <> 'CLOSED'", [id])).rows.length > 0;
}

/** The next member's id, taken early because their ledger accounts name it. */
export async function nextMemberId(db: Db): Promise<bigint> {
  return (await db.query("select nextval('member_id_seq') as id")).rows[0]!.id;
}

export interface NewMember {
  id: bigint;
  phone: string;
  name: string;
  passwordHash: string;
  currency: Currency;
  sourceCode: string;
  inviterId: bigint | null;
  unknownInviteCode: string | null;
  walletAccount: bigint;
  holdAccount: bigint;
  coinAccount: bigint;
  /** Null when the bank was not queried. */
  ageConfirmed: number | null;
  now: Date;
}

/** Inserts a member; violates member_phone_key when the phone is taken. */
export async function insertMember(db: Db, member: NewMember): Promise<void> {
  await db.query(
    `insert into member (id, phone, name, password_hash, currency, source_code, inviter_id, unknown_invite_code,
       password_changed_at, created_at, wallet_account, hold_account, coin_account, age_confirmed, age_confirmed_at)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14)`,
    [
      member.id,
      member.phone,
      member.name,
      member.passwordHash,
      member.currency,
      member.sourceCode,
      member.inviterId,
      member.unknownInviteCode,
      member.now,
      member.walletAccount,
      member.holdAccount,
      member.coinAccount,
      member.ageConfirmed,
      member.ageConfirmed === null ? null : member.now,
    ],
  );
}

/** Inserts the member's active bank account; violates bank_account_once when another member has it. */
export async function insertBankAccount(
  db: Db,
  account: {
    memberId: bigint;
    bankCode: string;
    sealed: Buffer;
    fingerprint: Buffer;
    name: string;
    now: Date;
  },
): Promise<void> {
  await db.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
     values ($1, $2, $3, $4, $5, 'ACTIVE', $6)`,
    [account.memberId, account.bankCode, account.sealed, account.fingerprint, account.name, account.now],
  );
}

/** Deletes the oldest one-time codes that were sent before a moment, at most `count` of them. */
export async function deleteCodes(db: Db, before: Date, count: number): Promise<void> {
  await db.query(
    'delete from otp where token_hash = any(array(select token_hash from otp where sent_at < $1 order by sent_at limit $2))',
    [before, count],
  );
}

import type { Db, Pool, PoolClient } from '../../platform/database/db.ts';

export interface AccountRow {
  id: bigint;
  bank_code: string;
  account_no_sealed: Buffer;
  account_no_fingerprint: Buffer;
  account_name: string;
  cool_until: Date | null;
}

const COLUMNS = 'id, bank_code, account_no_sealed, account_no_fingerprint, account_name, cool_until';

/** The account a member is paid to. */
export async function findActiveAccount(db: Db, memberId: bigint): Promise<AccountRow | undefined> {
  const sql = `select ${COLUMNS} from bank_account where member_id = $1 and status = 'ACTIVE'` as const;
  return (await db.query(sql, [memberId])).rows[0];
}

/** The same, locked until it is replaced. */
export async function lockActiveAccount(tx: PoolClient, memberId: bigint): Promise<AccountRow | undefined> {
  const sql =
    `select ${COLUMNS} from bank_account where member_id = $1 and status = 'ACTIVE' for update` as const;
  return (await tx.query(sql, [memberId])).rows[0];
}

/** Locks a member against closing until the transaction ends; false when they are closed. */
export async function lockUnclosed(tx: PoolClient, memberId: bigint): Promise<boolean> {
  const sql = "select status <> 'CLOSED' as stays from member where id = $1 for no key update";
  return (await tx.query(sql, [memberId])).rows[0]?.stays === true;
}

/** An account of any state; the one a request was made from may be replaced by now. */
export async function findAccount(db: Db, id: bigint): Promise<AccountRow | undefined> {
  return (await db.query(`select ${COLUMNS} from bank_account where id = $1`, [id])).rows[0];
}

export async function writeName(db: Db, memberId: bigint, name: string): Promise<void> {
  await db.query('update member set name = $2 where id = $1', [memberId, name]);
}

/** Corrects an account's name while it is still as it was seen; false when it is not. */
export async function writeAccountName(db: Db, id: bigint, seen: string, name: string): Promise<boolean> {
  const sql =
    "update bank_account set account_name = $3 where id = $1 and account_name = $2 and status = 'ACTIVE'";
  return (await db.query(sql, [id, seen, name])).rowCount === 1;
}

/** Replaces an account; violates bank_account_once when another member has it. */
export async function replaceAccount(
  tx: PoolClient,
  account: {
    replaces: bigint;
    memberId: bigint;
    bankCode: string;
    sealed: Buffer;
    fingerprint: Buffer;
    name: string;
    now: Date;
    coolUntil: Date;
  },
): Promise<void> {
  await tx.query("update bank_account set status = 'REPLACED' where id = $1", [account.replaces]);
  await tx.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at, cool_until)
     values ($1, $2, $3, $4, $5, 'ACTIVE', $6, $7)`,
    [
      account.memberId,
      account.bankCode,
      account.sealed,
      account.fingerprint,
      account.name,
      account.now,
      account.coolUntil,
    ],
  );
}

export interface BankAccountRow {
  bank_code: string;
  account_no_sealed: Buffer;
  account_name: string;
  name_local: string;
  name_en: string;
  name_lao: string | null;
}

/** The member's active bank account with its bank's names. */
export async function readBankAccount(pool: Pool, memberId: bigint): Promise<BankAccountRow> {
  const result = await pool.query(
    `select a.bank_code, a.account_no_sealed, a.account_name, b.name_local, b.name_en, b.name_lao
     from bank_account a join bank b on b.code = a.bank_code where a.member_id = $1 and a.status = 'ACTIVE'`,
    [memberId],
  );
  return result.rows[0]!;
}

/** When the member registered. */
export async function readMemberSince(pool: Pool, memberId: bigint): Promise<Date> {
  return (await pool.query('select created_at from member where id = $1', [memberId])).rows[0]!.created_at;
}

/** Holds an open session until the end of the transaction, so that nothing ends it meanwhile; false when it has ended. */
export async function holdSession(db: Db, tokenHash: Buffer): Promise<boolean> {
  const sql = 'select 1 from session where token_hash = $1 and ended_at is null for share';
  return (await db.query(sql, [tokenHash])).rows.length > 0;
}

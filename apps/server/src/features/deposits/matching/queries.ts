import type { Currency } from '@krapao/contract/shared';
import type { Pool } from '../../../platform/database/db.ts';

export interface BankTransactionState {
  id: bigint;
  state: 'CREDITED' | 'UNMATCHED' | 'RETURNED';
  bank_reference: string;
  amount: bigint;
  /** How often an operator has taken it back from a member. */
  reversals: number;
}

/** A transfer by its number. */
export async function findBankTransaction(pool: Pool, id: bigint): Promise<BankTransactionState> {
  const sql = 'select id, state, bank_reference, amount, reversals from bank_transaction where id = $1';
  return (await pool.query(sql, [id])).rows[0]!;
}

/** Finds a transfer by the reference of its first evidence. */
export async function findBankTransactionByReference(
  pool: Pool,
  bankCode: string,
  bankReference: string,
): Promise<BankTransactionState | undefined> {
  const sql =
    'select id, state, bank_reference, amount, reversals from bank_transaction where bank_code = $1 and bank_reference = $2';
  return (await pool.query(sql, [bankCode, bankReference])).rows[0];
}

export interface EvidenceRow {
  source: 'QR' | 'FEED' | 'SLIP';
  bank_code: string;
  bank_reference: string;
  account_no: string | null;
  currency: Currency;
  amount: bigint;
  payer_bank: string;
  payer_mask: string;
  payer_sealed: Buffer;
  reference1: string | null;
  paid_at: Date;
}

/** Lists evidence that was replaced, oldest first. */
export async function listDisplaced(pool: Pool): Promise<EvidenceRow[]> {
  const sql = `select source, bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at
    from transfer_evidence where state = 'AGAIN' order by id limit 100`;
  return (await pool.query(sql)).rows;
}

/** Whether evidence of a slip is an ambiguous match that an operator has yet to decide. */
export async function isSlipAmbiguous(
  pool: Pool,
  { bankCode, bankReference }: { bankCode: string; bankReference: string },
): Promise<boolean> {
  const sql =
    "select 1 from transfer_evidence where source = 'SLIP' and bank_code = $1 and bank_reference = $2 and state = 'ASK'";
  return (await pool.query(sql, [bankCode, bankReference])).rows.length > 0;
}

export interface UnindexedRow {
  id: bigint;
  bank_code: string;
  account_no_sealed: Buffer;
}

/** Registered accounts that cannot be found by their visible digits yet, the earliest thousand. */
export async function listUnindexed(pool: Pool): Promise<UnindexedRow[]> {
  const sql =
    'select id, bank_code, account_no_sealed from bank_account where not digits_indexed order by id limit 1000';
  return (await pool.query(sql)).rows;
}

/** Makes accounts findable; a repeat changes nothing. */
export async function insertDigits(
  pool: Pool,
  rows: readonly { id: bigint; middle: Buffer; last: Buffer }[],
): Promise<void> {
  // Servers that index the same accounts at once lock them in the same order.
  const sql = `with locked as materialized (
      select id from bank_account where id = any($1::bigint[]) order by id for no key update
    ), indexed as (
      insert into bank_account_digits (bank_account_id, middle_fingerprint, last_fingerprint)
        select n.id, n.middle, n.last from unnest($1::bigint[], $2::bytea[], $3::bytea[]) n(id, middle, last)
        join locked on locked.id = n.id
        on conflict do nothing)
    update bank_account a set digits_indexed = true from locked where a.id = locked.id and not a.digits_indexed`;
  await pool.query(sql, [
    rows.map((row) => row.id),
    rows.map((row) => row.middle),
    rows.map((row) => row.last),
  ]);
}

export interface CandidateRow {
  member_id: bigint;
  status: string;
  currency: Currency;
  wallet_account: bigint;
  bank_code: string;
  account_no_sealed: Buffer;
  account_name: string;
}

/** Members whose registered account shows these digits. */
export async function findByDigits(
  pool: Pool,
  digits: { middle: Buffer | null; last: Buffer | null },
): Promise<CandidateRow[]> {
  const sql = `select m.id as member_id, m.status, m.currency, m.wallet_account, a.bank_code, a.account_no_sealed, a.account_name
    from bank_account_digits d join bank_account a on a.id = d.bank_account_id and a.status = 'ACTIVE' join member m on m.id = a.member_id
    where d.middle_fingerprint = $1 or d.last_fingerprint = $2 order by m.id limit 200`;
  return (await pool.query(sql, [digits.middle, digits.last])).rows;
}

/** A member as the sender of a wallet transfer: known by their phone. */
export interface HolderRow extends Omit<CandidateRow, 'bank_code' | 'account_no_sealed'> {
  phone: string;
  name: string;
}

/** Members whose phone ends in these four digits. */
export async function findByPhoneEnd(pool: Pool, last: string): Promise<HolderRow[]> {
  const sql = `select m.id as member_id, m.status, m.currency, m.wallet_account, m.phone, m.name, a.account_name
    from member m join bank_account a on a.member_id = m.id and a.status = 'ACTIVE'
    where right(m.phone, 4) = $1 order by m.id limit 5000`;
  return (await pool.query(sql, [last])).rows;
}

/** Returns our code of a bank by its BOT code or short code; undefined when unknown. */
export async function findBankCode(pool: Pool, onWire: string): Promise<string | undefined> {
  const sql = 'select code from bank where bot_code = $1 or code = $1 order by position limit 1';
  return (await pool.query(sql, [onWire])).rows[0]?.code;
}

/** The member a transfer is for, with the account it should have come from. */
export async function findMemberAccount(pool: Pool, memberId: bigint): Promise<CandidateRow> {
  const sql = `select m.id as member_id, m.status, m.currency, m.wallet_account, a.bank_code, a.account_no_sealed, a.account_name
    from member m join bank_account a on a.member_id = m.id and a.status = 'ACTIVE' where m.id = $1`;
  return (await pool.query(sql, [memberId])).rows[0]!;
}

/** The member's open QR at a bank for exactly this amount, made before the payment. */
export async function findOpenQrFor(
  pool: Pool,
  memberId: bigint,
  transfer: { bankCode: string; amountMinor: bigint; paidAt: Date },
): Promise<string | null> {
  const sql =
    "select id from qr where member_id = $1 and bank_code = $2 and amount = $3 and status = 'OPEN' and created_at <= $4";
  const { rows } = await pool.query(sql, [
    memberId,
    transfer.bankCode,
    transfer.amountMinor,
    transfer.paidAt,
  ]);
  return rows[0]?.id ?? null;
}

/** The number of our account behind a bank's QRs; null when operators have entered none. */
export async function findQrAccount(pool: Pool, bankCode: string): Promise<string | null> {
  const sql =
    "select account_no from deposit_account where bank_code = $1 and mode = 'QR' order by is_open desc, is_paused, position limit 1";
  return (await pool.query(sql, [bankCode])).rows[0]?.account_no ?? null;
}

/** An account of ours into which members pay. */
export interface OwnAccountRow {
  bank_code: string;
  bot_code: string | null;
  account_no: string;
  /** Our names for it; one account may stand under two kinds of deposit. */
  account_names: string[];
  currency: Currency;
}

/** Lists our bank accounts for deposits, closed ones included. */
export async function listOwnAccounts(pool: Pool): Promise<OwnAccountRow[]> {
  const sql = `select d.bank_code, b.bot_code, d.account_no, array_agg(distinct d.account_name) as account_names, d.currency
    from deposit_account d left join bank b on b.code = d.bank_code where d.bank_type = 'BANK'
    group by d.bank_code, b.bot_code, d.account_no, d.currency`;
  return (await pool.query(sql)).rows;
}

import type { Currency, SlipStatus } from '@krapao/contract/shared';
import type { Pool } from '../../../platform/database/db.ts';

export interface SlipRow {
  id: string;
  member_id: bigint;
  reference: string;
  image_hash: Buffer;
  file: string;
  code: string | null;
  sending_bank: string | null;
  /** The transfer's reference as the bank reports it, before that as printed on the slip. */
  trans_ref: string | null;
  /** The printed reference, once the bank has reported its own. */
  printed_ref: string | null;
  status: SlipStatus;
  note: string | null;
  bank_code: string | null;
  currency: Currency | null;
  amount: bigint | null;
  asked: number;
  created_at: Date;
  /** What it was credited as. */
  deposit_id: string | null;
}

const COLUMNS =
  `id, member_id, reference, image_hash, file, code, sending_bank, trans_ref, printed_ref, status, note, bank_code, currency,
  amount, asked, created_at, (select d.id from bank_transaction t
    cross join lateral (
      select n.id, n.member_id, n.entry_id from deposit n where n.bank_code = t.bank_code and n.bank_reference = t.bank_reference and n.reversal_id is null
      union all
      select n.id, n.member_id, n.entry_id from deposit n where n.bank_code = t.bank_code and n.bank_reference = t.bank_reference and n.reversal_id is not null) d
    where d.member_id = slip.member_id and slip.status = 'SUCCESS' and t.id in (
      select e.bank_transaction_id from transfer_evidence e
        where e.source = 'SLIP' and e.bank_code = slip.bank_code and e.bank_reference = slip.trans_ref
      union all
      select b.id from bank_transaction b where b.bank_code = slip.bank_code and b.bank_reference = slip.trans_ref)
    order by d.entry_id desc limit 1) as deposit_id` as const;

export interface NewSlip {
  id: string;
  memberId: bigint;
  reference: string;
  idempotencyKey: string | null;
  imageHash: Buffer;
  file: string;
  code: string | null;
  sendingBank: string | null;
  transRef: string | null;
  status: 'PENDING' | 'FAILED';
  note: string | null;
  checkAt: Date | null;
  now: Date;
}

/** Stores a slip; false when the member's key was used before. */
export async function insertSlip(pool: Pool, slip: NewSlip): Promise<boolean> {
  const result = await pool.query(
    `insert into slip (id, member_id, reference, idempotency_key, image_hash, file, code, sending_bank, trans_ref, status, note, ask_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
     on conflict (member_id, idempotency_key) where idempotency_key is not null do nothing`,
    [
      slip.id,
      slip.memberId,
      slip.reference,
      slip.idempotencyKey,
      slip.imageHash,
      slip.file,
      slip.code,
      slip.sendingBank,
      slip.transRef,
      slip.status,
      slip.note,
      slip.checkAt,
      slip.now,
    ],
  );
  return result.rowCount === 1;
}

export async function findSlip(pool: Pool, id: string): Promise<SlipRow> {
  return (await pool.query(`select ${COLUMNS} from slip where id = $1`, [id])).rows[0]!;
}

/** The slip a member handed in under a key. */
export async function findSlipByKey(pool: Pool, memberId: bigint, key: string): Promise<SlipRow | undefined> {
  const sql = `select ${COLUMNS} from slip where member_id = $1 and idempotency_key = $2` as const;
  return (await pool.query(sql, [memberId, key])).rows[0];
}

/** The file of a member's own slip. */
export async function findSlipFile(
  pool: Pool,
  memberId: bigint,
  reference: string,
): Promise<string | undefined> {
  const sql = 'select file from slip where member_id = $1 and reference = $2';
  return (await pool.query(sql, [memberId, reference])).rows[0]?.file;
}

/** One page of a member's slips, newest first. */
export async function listSlips(
  pool: Pool,
  memberId: bigint,
  at: { page: number; limit: number },
): Promise<SlipRow[]> {
  const sql =
    `select ${COLUMNS} from slip where member_id = $1 order by created_at desc, id desc limit $2 offset $3` as const;
  return (await pool.query(sql, [memberId, at.limit, (at.page - 1) * at.limit])).rows;
}

export async function countSlips(pool: Pool, memberId: bigint): Promise<number> {
  const sql = 'select count(*)::int as count from slip where member_id = $1';
  return (await pool.query(sql, [memberId])).rows[0]!.count;
}

/** Decides a slip that is not decided yet, without money moving. */
export async function decideSlip(
  pool: Pool,
  id: string,
  to: { status: 'FAILED' | 'REVIEW'; note: string | null; doubts?: readonly string[]; now: Date },
): Promise<void> {
  await pool.query(
    "update slip set status = $2, note = $3, doubts = $4, ask_at = null, asked = asked + 1, updated_at = $5 where id = $1 and status = 'PENDING'",
    [id, to.status, to.note, to.doubts ?? [], to.now],
  );
}

/** Puts the question off. */
export async function checkSlipLater(pool: Pool, id: string, checkAt: Date): Promise<void> {
  await pool.query("update slip set ask_at = $2, asked = asked + 1 where id = $1 and status = 'PENDING'", [
    id,
    checkAt,
  ]);
}

export interface SlipFound {
  transRef: string;
  bankCode: string | null;
  accountNo: string | null;
  currency: Currency;
  amountMinor: bigint;
  payerMask: string;
  payerSealed: Buffer;
  paidAt: Date;
}

/**
 * Stores the bank's data of the transfer, for the member's list and for operators. From now on the slip has the
 * bank's reference, so that one transfer is credited once for any slips.
 */
export async function keepFacts(pool: Pool, id: string, facts: SlipFound): Promise<void> {
  await pool.query(
    "update slip set bank_code = $2, account_no = $3, currency = $4, amount = $5, payer_mask = $6, payer_sealed = $7, paid_at = $8, printed_ref = coalesce(printed_ref, trans_ref), trans_ref = $9 where id = $1 and status = 'PENDING'",
    [
      id,
      facts.bankCode,
      facts.accountNo,
      facts.currency,
      facts.amountMinor,
      facts.payerMask,
      facts.payerSealed,
      facts.paidAt,
      facts.transRef,
    ],
  );
}

/** Leases the slips that are due for a check, which counts: what they end as was not answered to the upload. */
export async function takeDueSlips(pool: Pool, now: Date, until: Date): Promise<string[]> {
  const sql = `update slip set ask_at = $2, asked = asked + 1 where id in (
      select id from slip where status = 'PENDING' and ask_at <= $1 order by ask_at limit 50 for update skip locked)
    returning id`;
  return (await pool.query(sql, [now, until])).rows.map((row) => row.id);
}

export interface ReviewedSlip {
  id: string;
  member_id: bigint;
  sending_bank: string | null;
  trans_ref: string | null;
  printed_ref: string | null;
  bank_code: string | null;
  account_no: string | null;
  currency: Currency | null;
  amount: bigint | null;
  payer_mask: string | null;
  payer_sealed: Buffer | null;
  paid_at: Date | null;
  doubts: string[];
  created_at: Date;
}

const REVIEWED =
  'id, member_id, sending_bank, trans_ref, printed_ref, bank_code, account_no, currency, amount, payer_mask, payer_sealed, paid_at, doubts, created_at';

/** A slip that waits for an operator. */
export async function findReviewed(pool: Pool, id: string): Promise<ReviewedSlip | undefined> {
  const sql = `select ${REVIEWED} from slip where id = $1 and status = 'REVIEW'` as const;
  return (await pool.query(sql, [id])).rows[0];
}

/** Slips that wait for an operator, oldest first. */
export async function listReviewed(pool: Pool): Promise<ReviewedSlip[]> {
  const sql = `select ${REVIEWED} from slip where status = 'REVIEW' order by created_at limit 200` as const;
  return (await pool.query(sql)).rows;
}

type By = { actor: string; reason: string; role?: string; address?: string };

/** Names the operator behind the slip's next status. */
export async function markDecision(pool: Pool, id: string, by: By): Promise<void> {
  await pool.query(
    "update slip set decided_by = $2, decided_reason = $3, decided_role = $4, decided_address = $5 where id = $1 and status = 'REVIEW'",
    [id, by.actor, by.reason, by.role ?? null, by.address ?? null],
  );
}

export async function refuseReviewed(
  pool: Pool,
  id: string,
  note: string,
  by: By,
  now: Date,
): Promise<boolean> {
  const sql =
    "update slip set status = 'FAILED', note = $2, decided_by = $3, decided_reason = $4, updated_at = $5, decided_role = $6, decided_address = $7 where id = $1 and status = 'REVIEW'";
  const values = [id, note, by.actor, by.reason, now, by.role ?? null, by.address ?? null] as const;
  return (await pool.query(sql, values)).rowCount === 1;
}

export async function reopenReviewed(pool: Pool, id: string, by: By, now: Date): Promise<boolean> {
  const sql =
    "update slip set status = 'PENDING', doubts = '{}', decided_by = $2, decided_reason = $3, ask_at = $4, updated_at = $4, decided_role = $5, decided_address = $6 where id = $1 and status = 'REVIEW' and code is not null";
  const values = [id, by.actor, by.reason, now, by.role ?? null, by.address ?? null] as const;
  return (await pool.query(sql, values)).rowCount === 1;
}

/** Whether a slip of the same transfer was accepted. */
export async function isAccepted(
  pool: Pool,
  slip: { sending_bank: string | null; trans_ref: string | null },
): Promise<boolean> {
  const sql = "select 1 from slip where sending_bank = $1 and trans_ref = $2 and status = 'SUCCESS'";
  return (await pool.query(sql, [slip.sending_bank, slip.trans_ref])).rows.length > 0;
}

import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../../platform/database/db.ts';

export interface QrRow {
  id: string;
  member_id: bigint;
  bank_code: string;
  amount: bigint;
  payload: string;
  status: 'OPEN' | 'PAID' | 'CANCELLED' | 'EXPIRED';
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = 'id, member_id, bank_code, amount, payload, status, created_at, expires_at';

const OPEN =
  `select ${COLUMNS} from qr where member_id = $1 and bank_code = $2 and status = 'OPEN' and expires_at > $3` as const;

/** The member's open QR at a bank, unless its time is over. */
export async function findOpenQr(
  db: Db,
  memberId: bigint,
  bankCode: string,
  now: Date,
): Promise<QrRow | undefined> {
  return (await db.query(OPEN, [memberId, bankCode, now])).rows[0];
}

/** The bank of the member's open QR, unless its time is over. */
export async function findOpenQrBank(db: Db, memberId: bigint, now: Date): Promise<string | undefined> {
  const result = await db.query(
    `select bank_code from qr where member_id = $1 and status = 'OPEN' and expires_at > $2`,
    [memberId, now],
  );
  return result.rows[0]?.bank_code;
}

export async function findQr(db: Db, id: string): Promise<QrRow | undefined> {
  return (await db.query(`select ${COLUMNS} from qr where id = $1`, [id])).rows[0];
}

/** The member's open QR at a bank whose account is not closed: it can be paid while the account is paused or full. */
export async function findPayableQr(
  db: Db,
  memberId: bigint,
  bankCode: string,
  now: Date,
): Promise<QrRow | undefined> {
  const sql = `${OPEN}
      and exists (select from deposit_account d where d.bank_code = $2 and d.mode = 'QR' and d.is_open)` as const;
  return (await db.query(sql, [memberId, bankCode, now])).rows[0];
}

/** The last QR of the member at a bank with the deposit that paid it, if it was paid. */
export async function findPaidQr(
  db: Db,
  memberId: bigint,
  bankCode: string,
): Promise<{ id: string; deposit_id: string; amount: bigint } | undefined> {
  const sql = `select q.id, d.id as deposit_id, d.amount
    from (select id, member_id, status, created_at from qr where member_id = $1 and bank_code = $2
      order by created_at desc limit 1) q
    join deposit d on d.member_id = q.member_id and d.created_at >= q.created_at and d.qr_id = q.id
    where q.status = 'PAID' order by d.created_at limit 1`;
  return (await db.query(sql, [memberId, bankCode])).rows[0];
}

/** Whether a bank takes QR deposits in a currency now. */
export async function offersQr(db: Db, bankCode: string, currency: Currency, now: Date): Promise<boolean> {
  return (
    (
      await db.query(
        `select 1 from deposit_account where bank_code = $1 and mode = 'QR' and is_open and not is_paused and currency = $2
           and qr_is_watched(currency, bank_code, account_no)
           and (daily_ceiling is null or arrived_today(bank_code, account_no, $3) < daily_ceiling)`,
        [bankCode, currency, now],
      )
    ).rows.length > 0
  );
}

/** Closes the member's open QR, whichever it is; returns the closed one, if there was any. */
export async function closeOpenQr(
  db: Db,
  memberId: bigint,
  now: Date,
  bankCode?: string,
): Promise<QrRow | undefined> {
  const result = await db.query(
    `update qr set status = 'CANCELLED', closed_at = $2 where member_id = $1 and status = 'OPEN' and ($3::text is null or bank_code = $3) returning ${COLUMNS}`,
    [memberId, now, bankCode ?? null],
  );
  return result.rows[0];
}

/** Notifies the partner that a QR is cancelled; with `db` in a transaction, exactly when that commits. */
export async function queueCancel(db: Db, id: string, inMs = 0): Promise<void> {
  await db.query(
    "select graphile_worker.add_job('qr.cancel', json_build_object('id', $1::text), job_key := 'qr.cancel:' || $1, run_at := now() + $2 * interval '1 millisecond')",
    [id, inMs],
  );
}

/** Locks the member's QR against other changes until the end of this transaction. */
export async function lockMember(db: Db, memberId: bigint): Promise<void> {
  await db.query('select 1 from member where id = $1 for no key update', [memberId]);
}

export async function insertQr(db: Db, qr: Omit<QrRow, 'status'>): Promise<void> {
  await db.query(
    "insert into qr (id, member_id, bank_code, amount, payload, status, created_at, expires_at) values ($1, $2, $3, $4, $5, 'OPEN', $6, $7)",
    [qr.id, qr.member_id, qr.bank_code, qr.amount, qr.payload, qr.created_at, qr.expires_at],
  );
}

/**
 * Closes QRs whose time is over; one of all instances gets each row. Passes over a QR that is being paid or cancelled:
 * the ledger pays several in the order in which they arrived, and would wait for this in another order.
 */
export async function expireQrs(db: Db, now: Date): Promise<QrRow[]> {
  return (
    await db.query(
      `update qr set status = 'EXPIRED', closed_at = expires_at
       where id = any(array(select q.id from qr q where q.status = 'OPEN' and q.expires_at <= $1 for update skip locked)) returning ${COLUMNS}`,
      [now],
    )
  ).rows;
}

/**
 * Lists QRs of a bank that are due for a check: those made after `made.after`, and those made after `made.oldest` about
 * which the bank has not responded since they expired. Paid ones are included, because a QR may be paid twice.
 *
 * Members take turns, so that many QRs of one member do not delay another's: one QR of each member, the member whose last
 * check is the longest ago first, then their second ones, and so on. A member's own are ordered by their last check; of
 * those never checked, the cancelled ones come last. They do not come after everyone else's, because a busy bank would
 * then never be queried about them, and a cancelled QR may have been paid.
 */
export async function listQrsToCheck(
  db: Db,
  bankCode: string,
  made: { oldest: Date; after: Date; before: Date },
): Promise<string[]> {
  // Two branches, each a range of one index.
  const sql = `select t.id from (
      select q.id, q.created_at, max(q.asked_at) over (partition by q.member_id) as member_asked_at,
        row_number() over (partition by q.member_id
          order by q.asked_at nulls first, q.status = 'CANCELLED', q.created_at) as turn
      from (
        select id, member_id, status, asked_at, created_at from qr
        where bank_code = $1 and created_at > greatest($2::timestamptz, $3) and created_at <= $4
        union all
        select id, member_id, status, asked_at, created_at from qr
        where bank_code = $1 and created_at > $2 and created_at <= least($3::timestamptz, $4)
          and (answered_at is null or answered_at < expires_at)) q) t
    order by t.turn, t.member_asked_at nulls first, t.created_at limit 500`;
  return (await db.query(sql, [bankCode, made.oldest, made.after, made.before])).rows.map((row) => row.id);
}

export interface GoneGateway {
  code: string;
  currency: Currency;
  /** QRs of it may have been paid without our learning of it. */
  has_unanswered: boolean;
}

/** Gateways beside the configured ones that made QRs since a time: their settings were removed. */
export async function listGoneGateways(
  db: Db,
  configured: readonly string[],
  since: Date,
): Promise<GoneGateway[]> {
  const sql = `select d.bank_code as code, d.currency,
      exists (select from qr where qr.bank_code = d.bank_code and qr.created_at > $2
        and (qr.answered_at is null or qr.answered_at < qr.expires_at)) as has_unanswered
    from (select distinct bank_code, currency from deposit_account where bank_type not in ('BANK', 'WALLET')) d
    where d.bank_code <> all($1) and exists (select from qr where qr.bank_code = d.bank_code and qr.created_at > $2)
    order by d.bank_code`;
  return (await db.query(sql, [configured, since])).rows;
}

/** Records when a QR was checked, with or without a response, so that others follow. */
export async function markQrChecked(db: Db, id: string, now: Date): Promise<void> {
  await db.query('update qr set asked_at = $2 where id = $1', [id, now]);
}

/** Records the time of a check that the bank responded to, once its payments are booked: none is unreadable now. */
export async function markQrAnswered(db: Db, id: string, checkedAt: Date): Promise<void> {
  await db.query(
    `with answered as (update qr set answered_at = $2 where id = $1 returning id)
     select alert_end('payment-unreadable', 'qr:' || id, $2) from answered`,
    [id, checkedAt],
  );
}

/**
 * Takes the response of earlier checks back, because there may be a payment that it did not have, and alerts operators:
 * in one statement, so that the check that reads all payments ends the alert or comes before it.
 */
export async function markQrUnreadable(db: Db, id: string, detail: string, now: Date): Promise<boolean> {
  return (
    (
      await db.query(
        `with taken_back as (update qr set answered_at = null where id = $1 returning id)
     select alert_open('payment-unreadable', 'qr:' || id, $2, $3) as opened from taken_back`,
        [id, detail, now],
      )
    ).rows[0]?.opened === true
  );
}

/** The static merchant code that operators have entered for a bank's QRs: of the first account that is offered now. */
export async function findStaticQr(db: Db, bankCode: string, now: Date): Promise<string | null> {
  const sql = `select static_qr from deposit_account
     where bank_code = $1 and mode = 'QR' and is_open and not is_paused and static_qr is not null
       and qr_is_watched(currency, bank_code, account_no)
       and (daily_ceiling is null or arrived_today(bank_code, account_no, $2) < daily_ceiling)
     order by position, id limit 1`;
  return (await db.query(sql, [bankCode, now])).rows[0]?.static_qr ?? null;
}

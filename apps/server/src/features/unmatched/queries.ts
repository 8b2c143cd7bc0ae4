import type { Currency } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, type Listed, numberKey, type Slice } from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';

export interface BankTransactionRow {
  id: bigint;
  bank_code: string;
  bank_reference: string;
  amount: bigint;
  currency: Currency;
  payer_bank: string;
  payer_mask: string;
  payer_sealed: Buffer;
  reason: string | null;
  state: 'UNMATCHED' | 'CREDITED' | 'RETURNED';
  likely_member_id: bigint | null;
  likely_name: string | null;
  /** All candidate members. */
  likely_members: readonly bigint[];
  paid_at: Date;
  received_at: Date;
  reversals: number;
  assignment_operator: bigint | null;
  assignment_name: string | null;
  assignment_touched: Date | null;
  approval: string | null;
}

/** Partners name the sender's bank by the central bank's number; people know its letters. */
export const payerBankSql = <const Column extends string>(column: Column) =>
  `coalesce((select k.code from bank k where k.bot_code = ${column} order by k.position limit 1), ${column})` as const;

const COLUMNS =
  `l.id, l.bank_code, l.bank_reference, l.amount, l.currency, ${payerBankSql('l.payer_bank')} as payer_bank, l.payer_mask, l.payer_sealed, l.reason, l.state,
  l.likely_member_id, m.name as likely_name, l.likely_members, l.paid_at, l.received_at, l.reversals,
  c.operator_id as assignment_operator, o.name as assignment_name, c.touched_at as assignment_touched,
  (select p.id from approval p where p.subject = 'unmatched:' || l.id and p.state = 'PENDING' limit 1) as approval` as const;
const FROM = `bank_transaction l left join member m on m.id = l.likely_member_id
  left join assignment c on c.subject = 'unmatched:' || l.id left join operator o on o.id = c.operator_id`;
/** A credited transaction is listed only if an operator credited or tied it. */
const WHERE = `l.state = any($1::text[]) and ($2::text[] is null or l.bank_code = any($2)) and l.bank_code <> all($4::text[])
  and ($3::text is null or l.bank_reference = $3 or l.reference1 = $3 or l.likely_member_id::text = $3 or position($3 in l.payer_mask) > 0)
  and (l.state <> 'CREDITED' or exists (select 1 from audit a where a.subject = 'unmatched:' || l.id and a.action in ('unmatched.assign', 'unmatched.tie')))`;

// Ids sort by time of arrival.
const ID = numberKey('l.id');
const ORDERS = { receivedAt: ID, amount: numberKey('l.amount') } as const;
/** What the list is ordered by. */
export const BANK_TRANSACTION_KEYS = { orders: ORDERS, id: ID };

export interface BankTransactionFilter {
  states: readonly string[];
  bank: Choices;
  text: string | null;
}
const valuesOf = ({ states, bank, text }: BankTransactionFilter) =>
  [states, bank.only, text, bank.not] as const;

/** A page of bank transactions by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listBankTransactions(
  db: Reads,
  filter: BankTransactionFilter,
  slice: Slice,
  counted: number | null,
): Promise<{
  rows: Listed<BankTransactionRow>[];
  sums: { currency: Currency; count: number; amount: bigint }[];
}> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `${FROM} where ${WHERE}`,
      ...BANK_TRANSACTION_KEYS,
      parameters: ['$5', '$6', '$7'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select l.currency, l.amount from bank_transaction l where ${WHERE} limit $5) found group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportBankTransactions = (filter: BankTransactionFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select l.id, l.bank_code, l.bank_reference, ${moneySql('l.amount', 'l.currency')} as amount, l.currency, ${payerBankSql('l.payer_bank')} as payer_bank, l.payer_mask, l.reference1,
      l.likely_member_id, l.reason, l.state, ${timeSql('l.paid_at')} as paid_at, ${timeSql('l.received_at')} as received_at
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 'l.id')}`),
    valuesOf(filter),
    'id',
  );

export async function findBankTransaction(db: Db, id: bigint): Promise<BankTransactionRow | undefined> {
  return (await db.query(`select ${COLUMNS} from ${FROM} where l.id = $1`, [id])).rows[0];
}

export async function readState(db: Db, id: bigint): Promise<BankTransactionRow['state'] | undefined> {
  return (await db.query('select state from bank_transaction where id = $1', [id])).rows[0]?.state;
}

/** A booking that may already contain the money of a transaction; of a return, the id is the withdrawal's. */
export interface BookingRow {
  kind: 'deposit' | 'report' | 'return';
  id: string;
  created_at: Date | string;
}

/** The kind of a booking "k". */
export const BOOKING_KIND =
  "case k.kind when 'deposit' then 'deposit' when 'report' then 'report' else 'return' end";

/** Bookings of a member that may already contain the money of a transaction, latest first, five at most. */
export async function listBookings(db: Db, transaction: bigint, member: bigint): Promise<BookingRow[]> {
  const sql =
    `select ${BOOKING_KIND} as kind, k.id as id /* never null */, k.created_at as created_at /* never null */
    from transaction_bookings($1, $2) k` as const;
  return (await db.query(sql, [transaction, member])).rows;
}

/** The member of a report or returned withdrawal that may have the money of a transaction; undefined where it cannot. */
export async function findBookingOwner(
  db: Db,
  transaction: bigint,
  { kind, booking }: { kind: 'report' | 'return'; booking: string },
): Promise<{ id: bigint; name: string } | undefined> {
  const sql = `select m.id, m.name
    from (select r.member_id from payment_report r where $2 = 'report' and r.id = $3
      union all select p.member_id from payout_return p where $2 = 'return' and p.withdrawal_id = $3) o
    join bank_transaction l on l.id = $1 join member m on m.id = o.member_id and m.currency = l.currency
    where exists (select from transaction_bookings(l.id, m.id) k where k.kind = $2 and k.id = $3)`;
  return (await db.query(sql, [transaction, kind, booking])).rows[0];
}

/** The system account that the return of a withdrawal was booked from without a bank transaction; undefined without such a return. */
export async function findReturnSource(db: Db, withdrawal: string): Promise<bigint | undefined> {
  const sql = `select p.account_id from payout_return r join ledger_posting p on p.entry_id = r.entry_id
    join ledger_account a on a.id = p.account_id and a.member_id is null
    where r.withdrawal_id = $1 and r.bank_transaction_id is null`;
  return (await db.query(sql, [withdrawal])).rows[0]?.account_id;
}

/** Names of members by their ids. */
export async function listNames(db: Db, ids: readonly bigint[]): Promise<{ id: bigint; name: string }[]> {
  return (await db.query('select id, name from member where id = any($1)', [ids])).rows;
}

export async function countWaiting(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    "select count(*)::int as count, min(received_at) as oldest from bank_transaction where state = 'UNMATCHED'",
  );
  return result.rows[0]!;
}

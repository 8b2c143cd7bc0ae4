import type { Currency } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { oneOrSeveral } from '../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  textKey,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';
import { type SearchText, searchedMembers } from '../../platform/member-search.ts';
import type { AssignmentColumns } from './assignment.ts';
import { BOOKING_KIND, type BookingRow, payerBankSql } from './queries.ts';

/** A transaction a report or a telling may be of, as JSON built by the database. */
export interface CandidateTransaction {
  id: string;
  state: string;
  bank_code: string;
  bank_reference: string;
  payer_bank: string;
  payer_mask: string;
  likely_id: string | null;
  likely_name: string | null;
  paid_at: string;
  reversals: number;
}

const CANDIDATE_FIELDS =
  `'id', l.id::text, 'state', l.state, 'bank_code', l.bank_code, 'bank_reference', l.bank_reference,
  'payer_bank', ${payerBankSql('l.payer_bank')}, 'payer_mask', l.payer_mask, 'likely_id', l.likely_member_id::text, 'likely_name', p.name, 'paid_at', l.paid_at, 'reversals', l.reversals` as const;
const CANDIDATE = `json_build_object(${CANDIDATE_FIELDS})` as const;

export interface ReportRow extends AssignmentColumns {
  id: string;
  member_id: bigint;
  member_name: string;
  wallet_account: bigint;
  amount: bigint;
  currency: Currency;
  status: 'PENDING' | 'SUCCESS' | 'FAILED';
  created_at: Date;
  approval: string | null;
  transactions: (CandidateTransaction & { bookings: BookingRow[] })[];
  /** Deposits of the member that may be the money they report, the latest first. */
  credits: { id: string; created_at: string }[];
}

const REPORT =
  `r.id, r.member_id, m.name as member_name, m.wallet_account, r.amount, m.currency, r.status, r.created_at,
  c.operator_id as assignment_operator, o.name as assignment_name, c.touched_at as assignment_touched,
  (select a.id from approval a where a.subject = 'report:' || r.id and a.state = 'PENDING' limit 1) as approval,
  (select coalesce(json_agg(one.transaction), '[]') from (
    select json_build_object(${CANDIDATE_FIELDS}, 'bookings', (
        select coalesce(json_agg(json_build_object('kind', ${BOOKING_KIND}, 'id', coalesce(k.id, ''), 'created_at', coalesce(k.created_at, r.created_at))), '[]')
        from transaction_bookings(l.id, r.member_id) k)) as transaction
    from bank_transaction l left join member p on p.id = l.likely_member_id
    where r.status = 'PENDING' and l.state = 'UNMATCHED' and l.amount = r.amount and l.currency = m.currency
    order by l.likely_member_id is distinct from r.member_id, abs(extract(epoch from l.paid_at - r.created_at)) limit 10) one) as transactions,
  (select coalesce(json_agg(json_build_object('id', d.id, 'created_at', d.created_at)), '[]')
    from report_credits(r.id) d where r.status = 'PENDING') as credits` as const;
const REPORT_FROM = `payment_report r join member m on m.id = r.member_id
  left join assignment c on c.subject = 'report:' || r.id left join operator o on o.id = c.operator_id`;
const REPORT_WHERE =
  `($1::text[] is null or r.status = any($1)) and ($5::text is null or r.status = $5) and ($2::text is null or r.id = upper($2) or r.member_id = any(${searchedMembers('$2', '$6')}))
  and ($3::timestamptz is null or r.created_at >= $3) and ($4::timestamptz is null or r.created_at < $4)` as const;
const REPORT_ORDERS = { createdAt: timeKey('r.created_at'), amount: numberKey('r.amount') } as const;
/** What the list of reports is ordered by. */
export const REPORT_KEYS = { orders: REPORT_ORDERS, id: textKey('r.id') };

export interface ReportFilter extends SearchText {
  states: readonly string[];
  from: Date | null;
  to: Date | null;
}
function reportValues({ states, text, phone, from, to }: ReportFilter) {
  const { one, several } = oneOrSeveral(states);
  return [several, text, from, to, one, phone] as const;
}

export type Sums = { currency: Currency; count: number; amount: bigint }[];

/** A page of reports by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listReports(
  db: Reads,
  filter: ReportFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<ReportRow>[]; sums: Sums }> {
  const values = reportValues(filter);
  const page = keysetSql(
    {
      select: `select ${REPORT}`,
      from: `${REPORT_FROM} where ${REPORT_WHERE}`,
      ...REPORT_KEYS,
      parameters: ['$7', '$8', '$9'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select m.currency, r.amount from payment_report r join member m on m.id = r.member_id where ${REPORT_WHERE} limit $7) found
       group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportReports = (filter: ReportFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select r.id, r.member_id, m.name, ${moneySql('r.amount', 'm.currency')} as amount, m.currency, r.status as state,
      ${timeSql('r.created_at')} as created_at, ${timeSql('r.updated_at')} as updated_at
    from ${REPORT_FROM} where ${REPORT_WHERE} order by ${orderBy(REPORT_ORDERS, sort, 'r.id')}`),
    reportValues(filter),
    'id',
  );

export async function findReport(db: Db, id: string): Promise<ReportRow | undefined> {
  return (await db.query(`select ${REPORT} from ${REPORT_FROM} where r.id = $1`, [id])).rows[0];
}

export interface AmbiguousMatchRow extends AssignmentColumns {
  id: bigint;
  source: 'QR' | 'FEED' | 'SLIP';
  bank_code: string;
  bank_reference: string;
  amount: bigint;
  currency: Currency;
  payer_bank: string;
  payer_mask: string;
  payer_sealed: Buffer;
  paid_at: Date;
  state: 'TIED' | 'AGAIN' | 'ASK';
  transactions: CandidateTransaction[];
  /** Manually credited payment reports whose money it may be. */
  reports: { id: string; member_id: string; member_name: string; created_at: string }[];
}

/**
 * The bank transaction that bears the report's reference, alone; without one, those of the same account and amount that
 * no report of this source is tied to: of the same time, or within a day and perhaps of the same sender.
 */
const AMBIGUOUS_COLUMNS =
  `s.id, s.source, s.bank_code, s.bank_reference, s.amount, s.currency, ${payerBankSql('s.payer_bank')} as payer_bank, s.payer_mask, s.payer_sealed, s.paid_at, s.state,
  c.operator_id as assignment_operator, o.name as assignment_name, c.touched_at as assignment_touched,
  (select coalesce(json_agg(one.transaction), '[]') from (
    select ${CANDIDATE} as transaction from bank_transaction l left join member p on p.id = l.likely_member_id
    where l.bank_code = s.bank_code and l.bank_reference = s.bank_reference
      or not exists (select 1 from bank_transaction b where b.bank_code = s.bank_code and b.bank_reference = s.bank_reference)
      and l.bank_code = s.bank_code and l.currency = s.currency and l.amount = s.amount
      and (l.paid_at between s.paid_at - interval '2 minutes' and s.paid_at + interval '2 minutes'
        or l.paid_at between s.paid_at - interval '24 hours' and s.paid_at + interval '24 hours'
          and mask_compare(l.payer_mask, s.payer_mask) <> 'OTHER')
      and not exists (select 1 from transfer_evidence t where t.bank_transaction_id = l.id and t.source = s.source)
    order by abs(extract(epoch from l.paid_at - s.paid_at)), l.id limit 10) one) as transactions,
  (select coalesce(json_agg(json_build_object('id', r.id, 'member_id', r.member_id::text, 'member_name', m.name, 'created_at', r.created_at)), '[]')
    from evidence_reports(s.id) r join member m on m.id = r.member_id) as reports` as const;
const AMBIGUOUS_FROM = `transfer_evidence s left join assignment c on c.subject = 'doubt:' || s.id left join operator o on o.id = c.operator_id`;

const AMBIGUOUS_ORDERS = { paidAt: timeKey('s.paid_at'), amount: numberKey('s.amount') } as const;
/** What the list of ambiguous matches is ordered by. */
export const AMBIGUOUS_KEYS = { orders: AMBIGUOUS_ORDERS, id: numberKey('s.id') };

/** A page of the undecided ambiguous matches, and count and sum of `counted` of them at the most. */
export async function listAmbiguousMatches(
  db: Reads,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<AmbiguousMatchRow>[]; sums: Sums }> {
  const page = keysetSql(
    {
      select: `select ${AMBIGUOUS_COLUMNS}`,
      from: `${AMBIGUOUS_FROM} where s.state = 'ASK'`,
      ...AMBIGUOUS_KEYS,
      parameters: ['$1', '$2', '$3'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, keysetValues(slice)),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select currency, amount from transfer_evidence where state = 'ASK' limit $1) found group by 1 order by 1`,
      [counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportAmbiguousMatches = (sort: string): ExportSource =>
  pageSource(
    sql(`select s.id, s.source, s.bank_code, s.bank_reference, ${moneySql('s.amount', 's.currency')} as amount, s.currency,
      ${payerBankSql('s.payer_bank')} as payer_bank, s.payer_mask, ${timeSql('s.paid_at')} as paid_at, ${timeSql('s.seen_at')} as seen_at
    from transfer_evidence s where s.state = 'ASK' order by ${orderBy(AMBIGUOUS_ORDERS, sort, 's.id')}`),
    [],
    'id',
  );

export async function findAmbiguousMatch(db: Db, id: bigint): Promise<AmbiguousMatchRow | undefined> {
  return (await db.query(`select ${AMBIGUOUS_COLUMNS} from ${AMBIGUOUS_FROM} where s.id = $1`, [id])).rows[0];
}

/** What waits to be found out: payment reports and ambiguous matches together. */
export async function countReports(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    `select count(*)::int as count, min(at) as oldest from (
       select created_at as at from payment_report where status = 'PENDING'
       union all select seen_at from transfer_evidence where state = 'ASK') waiting`,
  );
  return result.rows[0]!;
}

import type { Currency, SlipStatus } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../../platform/database/db.ts';
import { pageSource } from '../../../platform/database/pages.ts';
import type { Choices } from '../../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  textKey,
  timeKey,
} from '../../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../../platform/http/export-file.ts';
import { orderBy } from '../../../platform/http/list.ts';
import { type SearchText, searchedMembers } from '../../../platform/member-search.ts';

export interface SlipReviewRow {
  id: string;
  member_id: bigint;
  member_name: string;
  file: string;
  status: SlipStatus;
  note: string | null;
  sending_bank: string | null;
  trans_ref: string | null;
  bank_code: string | null;
  account_no: string | null;
  currency: Currency | null;
  amount: bigint | null;
  payer_mask: string | null;
  payer_sealed: Buffer | null;
  paid_at: Date | null;
  doubts: string[];
  created_at: Date;
  member_account_sealed: Buffer | null;
  assignment_operator: bigint | null;
  assignment_name: string | null;
  assignment_touched: Date | null;
}

const COLUMNS = `s.id, s.member_id, m.name as member_name, s.file, s.status, s.note, s.sending_bank, s.trans_ref, s.bank_code, s.account_no, s.currency,
  s.amount, s.payer_mask, s.payer_sealed, s.paid_at, s.doubts, s.created_at, a.account_no_sealed as member_account_sealed,
  c.operator_id as assignment_operator, o.name as assignment_name, c.touched_at as assignment_touched`;
const FROM = `slip s join member m on m.id = s.member_id left join bank_account a on a.member_id = m.id and a.status = 'ACTIVE'
  left join assignment c on c.subject = 'slip:' || s.id left join operator o on o.id = c.operator_id`;
const WHERE =
  `($1::text[] is null or s.status = any($1)) and s.status <> all($4::text[]) and ($2::bigint is null or s.member_id = $2)
  and ($3::text is null or s.id = upper($3) or s.trans_ref = $3 or s.member_id = any(${searchedMembers('$3', '$5')}))` as const;

export interface SlipFilter extends SearchText {
  status: Choices;
  memberId: bigint | null;
}
const valuesOf = (filter: SlipFilter) =>
  [filter.status.only, filter.memberId, filter.text, filter.status.not, filter.phone] as const;
/** Microseconds since 1970; those of 5,000 years more are 10^17 at the most. */
const MICROS = "(extract(epoch from s.created_at - timestamptz '1970-01-01 00:00:00+00') * 1000000)::bigint";
const ORDERS = {
  createdAt: timeKey('s.created_at'),
  /** Those that wait for an operator first, oldest first; then the newest. */
  waiting: numberKey(`case s.status when 'REVIEW' then ${MICROS} - 100000000000000000 else -${MICROS} end`),
} as const;
/** What the list is ordered by; `waiting` where a request names no order. */
export const SLIP_KEYS = { orders: ORDERS, id: textKey('s.id') };

/** A page of slips by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listSlips(
  db: Reads,
  filter: SlipFilter,
  slice: Slice,
  counted: number | null,
): Promise<{
  rows: Listed<SlipReviewRow>[];
  sums: { currency: Currency | null; count: number; amount: bigint | null }[];
}> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `${FROM} where ${WHERE}`,
      ...SLIP_KEYS,
      parameters: ['$6', '$7', '$8'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select s.currency, s.amount from slip s join member m on m.id = s.member_id where ${WHERE} limit $6) found
       group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportSlips = (filter: SlipFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select s.id, s.member_id, m.name, s.status, s.note, array_to_string(s.doubts, ' ') as doubts, s.bank_code, s.sending_bank, s.trans_ref,
      ${moneySql('s.amount', 's.currency')} as amount, s.currency, s.payer_mask, ${timeSql('s.paid_at')} as paid_at, ${timeSql('s.created_at')} as created_at
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 's.id')}`),
    valuesOf(filter),
    'id',
  );

export async function findSlip(db: Db, id: string): Promise<SlipReviewRow | undefined> {
  return (await db.query(`select ${COLUMNS} from ${FROM} where s.id = $1`, [id])).rows[0];
}

export interface UseRow {
  kind: 'slip' | 'deposit' | 'transaction';
  id: string;
  /** Null for a bank transaction. */
  member_id: bigint | null;
  member_name: string | null;
  state: string;
  at: Date;
}

/** Where a slip's reference, or its very picture, was seen before; and its bank transaction that was not credited. */
export async function listUses(db: Db, id: string): Promise<UseRow[]> {
  const result = await db.query(
    `select 'slip' as kind, o.id, o.member_id, m.name as member_name, o.status as state, o.created_at as at
       from slip s join slip o on o.id <> s.id and (o.image_hash = s.image_hash or (o.trans_ref = s.trans_ref and o.sending_bank = s.sending_bank))
       join member m on m.id = o.member_id where s.id = $1
     union all
     select 'deposit', d.id, d.member_id, m.name, d.channel, d.created_at
       from slip s join deposit d on d.bank_code = s.bank_code and d.bank_reference = s.trans_ref and d.reversal_id is null
       join member m on m.id = d.member_id where s.id = $1
     union all
     select 'deposit', d.id, d.member_id, m.name, d.channel, d.created_at
       from slip s join deposit d on d.bank_code = s.bank_code and d.bank_reference = s.trans_ref and d.reversal_id is not null
       join member m on m.id = d.member_id where s.id = $1
     union all
     select 'transaction', b.id::text, null, null, b.state, b.received_at
       from slip s join bank_transaction b on b.bank_code = s.bank_code and b.bank_reference = s.trans_ref and b.state <> 'CREDITED' where s.id = $1
     order by at desc limit 20`,
    [id],
  );
  return result.rows;
}

export async function countReviewed(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    "select count(*)::int as count, min(created_at) as oldest from slip where status = 'REVIEW'",
  );
  return result.rows[0]!;
}

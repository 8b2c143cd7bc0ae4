import type { Currency } from '@krapao/contract/shared';
import { type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import type { PeriodRow } from './queries.ts';

export interface ListedRefund extends PeriodRow {
  member_id: bigint;
  member_name: string;
  currency: Currency;
}

const FROM = 'refund_period p join member m on m.id = p.member_id';
const WHERE = '($1::bigint is null or p.member_id = $1)';

/** What the list is ordered by. */
export const REFUND_KEYS = { orders: { at: timeKey('p.to_at') }, id: numberKey('p.member_id') };

/** A page of refunds of a member, or of all, and count and sum of those that fit, of `counted` at the most. */
export async function listRefundsOfAll(
  pool: Reads,
  memberId: string | null,
  slice: Slice,
  counted: number | null,
): Promise<{
  rows: (Listed<ListedRefund> & { cursor_id: bigint })[];
  sums: { currency: Currency; count: number; amount: bigint }[];
}> {
  const page = keysetSql(
    {
      select: `select p.member_id as cursor_id, p.member_id, m.name as member_name, m.currency, p.number, p.from_at, p.to_at, p.opening, p.deposits, p.withdrawals,
         p.balance, p.loss, p.percent, p.amount`,
      from: `${FROM} where ${WHERE}`,
      ...REFUND_KEYS,
      parameters: ['$2', '$3', '$4'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    pool.query(page, [memberId, ...keysetValues(slice)]),
    pool.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select m.currency, p.amount from ${FROM} where ${WHERE} limit $2) found group by 1 order by 1`,
      [memberId, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportRefundsOf = (memberId: string | null): ExportSource =>
  pageSource(
    sql(`select p.member_id || ':' || p.number as page_key, p.member_id, m.name as member, p.number, ${timeSql('p.from_at')} as from_at, ${timeSql('p.to_at')} as to_at, m.currency,
      ${moneySql('p.opening', 'm.currency')} as opening, ${moneySql('p.deposits', 'm.currency')} as deposits,
      ${moneySql('p.withdrawals', 'm.currency')} as withdrawals, ${moneySql('p.balance', 'm.currency')} as balance,
      ${moneySql('p.loss', 'm.currency')} as loss, p.percent, ${moneySql('p.amount', 'm.currency')} as amount
    from ${FROM} where ${WHERE} order by p.to_at desc, p.member_id desc`),
    [memberId],
    'page_key',
  );

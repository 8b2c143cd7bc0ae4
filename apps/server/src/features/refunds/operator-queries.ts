import type { Currency } from '@krapao/contract/shared';
import { type Pool, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import type { PeriodRow } from './queries.ts';

export interface ListedRefund extends PeriodRow {
  member_id: bigint;
  member_name: string;
  currency: Currency;
}

const FROM = 'refund_period p join member m on m.id = p.member_id';
const WHERE = '($1::bigint is null or p.member_id = $1)';

/** Refunds of a member, or all, newest first. */
export async function listRefundsOfAll(
  pool: Pool,
  memberId: string | null,
  range: { limit: number; offset: number },
): Promise<{ rows: ListedRefund[]; sums: { currency: Currency; count: number; amount: bigint }[] }> {
  const [rows, sums] = await Promise.all([
    pool.query(
      `select p.member_id, m.name as member_name, m.currency, p.number, p.from_at, p.to_at, p.opening, p.deposits, p.withdrawals,
         p.balance, p.loss, p.percent, p.amount
       from ${FROM} where ${WHERE} order by p.to_at desc, p.member_id desc limit $2 offset $3`,
      [memberId, range.limit, range.offset],
    ),
    pool.query(
      `select m.currency, count(*)::int as count, sum(p.amount)::bigint as amount from ${FROM} where ${WHERE} group by 1 order by 1`,
      [memberId],
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

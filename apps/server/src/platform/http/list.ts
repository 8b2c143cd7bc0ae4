import { type Currency, fromMinor } from '@krapao/contract/shared';

const LIMIT = 25;

/** Page and limit of a list as what the database is asked for; page counts from 1. */
export function rangeOf(query: { page?: number | undefined; limit?: number | undefined }): {
  limit: number;
  offset: number;
} {
  const { page = 1, limit = LIMIT } = query;
  return { limit, offset: (page - 1) * limit };
}

/**
 * What a list is ordered by, as SQL.
 * @param columns the columns that may be asked for, by the name they have on the wire
 * @param sort one of these names, with a minus in front for downwards
 * @param tie decides between equal ones, the same way
 */
export function orderBy(columns: Readonly<Record<string, string>>, sort: string, tie: string): string {
  const column = columns[sort.replace(/^-/, '')];
  if (!column) throw new Error(`no order by ${sort}`);
  const way = sort.startsWith('-') ? ' desc' : '';
  return [...new Set([column, tie])].map((name) => name + way).join(', ');
}

/** Count and sums of all that fits a filter, as a list's answer tells them; what has no currency is only counted. */
export function totalsOf(
  sums: readonly { currency: Currency | null; count: number; amount: bigint | null }[],
): { total: number; sums: { currency: Currency; amount: number }[] } {
  return {
    total: sums.reduce((total, sum) => total + sum.count, 0),
    sums: sums.flatMap(({ currency, amount }) =>
      currency === null || amount === null ? [] : [{ currency, amount: fromMinor(amount, currency) }],
    ),
  };
}

/** A half-open range of times whose texts fit the contract's `Moment`, as the database reads them. */
export function timesOf(query: { from?: string | undefined; to?: string | undefined }): {
  from: Date | null;
  to: Date | null;
} {
  return { from: query.from ? new Date(query.from) : null, to: query.to ? new Date(query.to) : null };
}

export const LIMIT = 25;

/** Converts page (from 1) and limit to offset and limit of the query. */
export function rangeOf(query: { page?: number | undefined; limit?: number | undefined }): {
  limit: number;
  offset: number;
} {
  const { page = 1, limit = LIMIT } = query;
  return { limit, offset: (page - 1) * limit };
}

/** Each of the columns one way, and the one that decides between equal ones behind it. */
type Ordered<Column extends string, Tie extends string, Way extends string> = Column extends Tie
  ? `${Column}${Way}`
  : `${Column}${Way}, ${Tie}${Way}`;

/**
 * Returns the order of a list as SQL. Its type is every order there is, so that each text of a query is checked.
 * @param columns the columns that may be requested, by the name they have on the wire; a const that ends in "as const"
 * @param sort one of these names, with a minus in front for downwards
 * @param tie decides between equal ones, the same way
 */
export function orderBy<const Column extends string, const Tie extends string>(
  columns: Readonly<Record<string, Column | { column: Column }>>,
  sort: string,
  tie: Tie,
): Ordered<Column, Tie, '' | ' desc'> {
  const found = columns[sort.replace(/^-/, '')];
  if (!found) throw new Error(`no order by ${sort}`);
  const column = typeof found === 'string' ? found : found.column;
  const way = sort.startsWith('-') ? ' desc' : '';
  return [...new Set<string>([column, tie])].map((name) => name + way).join(', ') as Ordered<
    Column,
    Tie,
    '' | ' desc'
  >;
}

/** A half-open range of times whose texts fit the contract's `Moment`, as the database reads them. */
export function timesOf(query: { from?: string | undefined; to?: string | undefined }): {
  from: Date | null;
  to: Date | null;
} {
  return { from: query.from ? new Date(query.from) : null, to: query.to ? new Date(query.to) : null };
}

/** A member's id as filters take it: null without one, and 0, which no member has, for a text that is no number. */
export const memberIdOf = (text: string | undefined): bigint | null =>
  !text ? null : /^\d{1,18}$/.test(text) ? BigInt(text) : 0n;

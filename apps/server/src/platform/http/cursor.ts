import { LIMIT } from './list.ts';

/** A part of a list that is ordered by id: the ids between two, from one side. */
export interface Slice {
  /** Ids above this. */
  above: bigint;
  /** Ids below this. */
  below: bigint;
  /** Whether it is read against the list's order, from its end. */
  isBackwards: boolean;
  /** One row more than the page has, which tells whether there is another page behind it. */
  limit: number;
}

const ALL = { above: -1n, below: 9_223_372_036_854_775_807n };

/**
 * Returns what to read for a page.
 * @param query what was asked for; its cursor is `after:<id>`, `before:<id>`, `last` or missing for the first page
 * @param isDescending whether the list begins with the highest id
 * @param total of all rows, which says how many stand on the last page
 */
export function sliceOf(
  query: { limit?: number | undefined; cursor?: string | undefined },
  isDescending: boolean,
  total: number,
): Slice {
  const size = query.limit ?? LIMIT;
  const [side, id] = (query.cursor ?? 'first').split(':');
  const limit = (side === 'last' ? total % size || size : size) + 1;
  const isBackwards = side === 'last' || side === 'before';
  if (id === undefined) return { ...ALL, isBackwards, limit };
  const isBelow = (side === 'after') === isDescending;
  return { ...ALL, ...(isBelow ? { below: BigInt(id) } : { above: BigInt(id) }), isBackwards, limit };
}

/** Returns the rows of a page in the list's order, and the cursors of the pages beside it. */
export function pageOf<Row extends { id: bigint }>(
  found: readonly Row[],
  slice: Slice,
  query: { cursor?: string | undefined },
) {
  const hasMore = found.length === slice.limit;
  const kept = hasMore ? found.slice(0, -1) : found;
  const rows = slice.isBackwards ? kept.toReversed() : [...kept];
  // The page one came from is there; on the other side there is one if a row more was found.
  const [hasBefore, hasAfter] = slice.isBackwards
    ? [hasMore, query.cursor !== 'last']
    : [query.cursor !== undefined, hasMore];
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    previous: hasBefore && first ? `before:${first.id}` : null,
    next: hasAfter && last ? `after:${last.id}` : null,
    last: hasAfter && last ? 'last' : null,
  };
}

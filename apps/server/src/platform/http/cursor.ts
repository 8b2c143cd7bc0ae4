import { COUNTED_MAX, type Currency, fromMinor } from '@krapao/contract/shared';
import { Refusal } from '../refusal.ts';
import { LIMIT } from './list.ts';

/** A column that a list is ordered by, as SQL, and its type. */
export interface Key<Column extends string = string, Type extends KeyType = KeyType> {
  column: Column;
  type: Type;
}
type KeyType = 'timestamptz' | 'bigint' | 'text';

/** Declares a column of times. */
export const timeKey = <const Column extends string>(column: Column): Key<Column, 'timestamptz'> => ({
  column,
  type: 'timestamptz',
});
/** Declares a column of whole numbers. */
export const numberKey = <const Column extends string>(column: Column): Key<Column, 'bigint'> => ({
  column,
  type: 'bigint',
});
/** Declares a column of texts. */
export const textKey = <const Column extends string>(column: Column): Key<Column, 'text'> => ({
  column,
  type: 'text',
});

/** The value of a key as a cursor contains it: times in microseconds since 1970, exact as the database keeps them. */
type Shown<K> =
  K extends Key<infer Column, 'timestamptz'>
    ? `(extract(epoch from ${Column}) * 1000000)::bigint::text`
    : K extends Key<infer Column, 'bigint'>
      ? `(${Column})::text`
      : K extends Key<infer Column, 'text'>
        ? Column
        : never;

/** The rows behind a place in one direction, in this direction. */
type Behind<K, Id, Way extends '<' | '>', Value extends string, At extends string> =
  K extends Key<infer Column, infer Type>
    ? Id extends Key<infer Tie, infer TieType>
      ? Column extends Tie
        ? `(${Value}::text is null or ${Tie} ${Way} ${At}::text::${TieType}) order by ${Tie}${End<Way>}`
        : `(${Value}::text is null or (${Column}, ${Tie}) ${Way} (${Value}::text::${Type}, ${At}::text::${TieType})) order by ${Column}${End<Way>}, ${Tie}${End<Way>}`
      : never
    : never;
type End<Way> = Way extends '<' ? ' desc' : '';

/** A list that pages are read of. */
interface KeysetParts {
  /** From `select` to its last column. */
  select: string;
  /** Tables and condition. */
  from: string;
  /** The keys the list may be ordered by, by their names on the wire. */
  orders: Readonly<Record<string, Key>>;
  /** Decides between rows of one value; unique. */
  id: Key;
  /** The parameters of {@link keysetValues}. */
  parameters: readonly [string, string, string];
}

type KeysetSql<P extends KeysetParts> = {
  [Name in keyof P['orders']]: {
    [Way in
      | '<'
      | '>']: `${P['select']}, ${Shown<P['orders'][Name]>} as cursor_value from ${P['from']} and ${Behind<P['orders'][Name], P['id'], Way, P['parameters'][0], P['parameters'][1]>} limit ${P['parameters'][2]}`;
  }['<' | '>'];
}[keyof P['orders']];

/**
 * Returns the query of one page: the rows behind a place of the list, found by index conditions, with the value of the
 * sort column as `cursor_value`. Its type is every order there is, so that each text is checked.
 * @param parts a const
 * @param sort one of the orders, with a minus in front for downwards
 */
export function keysetSql<const P extends KeysetParts>(parts: P, sort: string): KeysetSql<P> {
  const { select, from, id, parameters } = parts;
  const key = parts.orders[sort.replace(/^-/, '')];
  if (!key) throw new Error(`no order by ${sort}`);
  const [way, end] = sort.startsWith('-') ? ['<', ' desc'] : ['>', ''];
  const [value, at, limit] = parameters;
  const shown = {
    timestamptz: `(extract(epoch from ${key.column}) * 1000000)::bigint::text`,
    bigint: `(${key.column})::text`,
    text: key.column,
  }[key.type];
  const behind =
    key.column === id.column
      ? `(${value}::text is null or ${id.column} ${way} ${at}::text::${id.type}) order by ${id.column}${end}`
      : `(${value}::text is null or (${key.column}, ${id.column}) ${way} (${value}::text::${key.type}, ${at}::text::${id.type})) order by ${key.column}${end}, ${id.column}${end}`;
  return `${select}, ${shown} as cursor_value from ${from} and ${behind} limit ${limit}` as KeysetSql<P>;
}

/** What to read for a page of a list. */
export interface Slice {
  /** The order of the list, as in the request. */
  sort: string;
  /** The order to read in: against that of the list where the page is read from its end. */
  readSort: string;
  isBackwards: boolean;
  /** Whether the request named a row; otherwise it is for the first page, or the last. */
  hasPlace: boolean;
  /** The place of that row: its value of the sort column, as PostgreSQL reads it, and its id. */
  value: string | null;
  id: string | null;
  /** One row more than the page has, which tells whether there is another page behind it. */
  limit: number;
}

/** What {@link keysetSql} takes besides the filter. */
export const keysetValues = ({ value, id, limit }: Slice) => [value, id, limit] as const;

const PLACE = /^(?<side>after|before):(?<name>\w+):(?<value>.*):(?<id>[\w-]+)$/s;
const WHOLE = /^-?\d{1,18}$/;
/** Within these years a time of a cursor is one that PostgreSQL and JavaScript know. */
const MICROS_MAX = 253_402_300_799_999_999n;

/** Returns the value of a cursor as PostgreSQL reads it; null: no reply named it. */
function readValue(type: KeyType, text: string): string | null {
  if (type === 'text') return text;
  if (!WHOLE.test(text)) return null;
  if (type === 'bigint') return text;
  const micros = BigInt(text);
  if (micros < 0n || micros > MICROS_MAX) return null;
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${seconds}${String(micros % 1000n).padStart(3, '0')}Z`;
}

/**
 * Returns what to read for a page. Refuses with INVALID_REQUEST a cursor that no reply of this order can have named.
 * @param query the request; its cursor is `after:<order>:<value>:<id>`, `before:…`, `last`, or missing for the first page
 * @param keys the keys of the list
 * @param standard the order where the request names none
 */
export function sliceOf(
  query: { limit?: number | undefined; cursor?: string | undefined; sort?: string | undefined },
  keys: Pick<KeysetParts, 'orders' | 'id'>,
  standard: string,
): Slice {
  const sort = query.sort ?? standard;
  const limit = (query.limit ?? LIMIT) + 1;
  const place = PLACE.exec(query.cursor ?? '')?.groups;
  const isBackwards = query.cursor === 'last' || place?.side === 'before';
  const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
  const slice = { sort, readSort: isBackwards ? opposite : sort, isBackwards, limit };
  if (query.cursor === undefined || query.cursor === 'last')
    return { ...slice, hasPlace: false, value: null, id: null };
  const key = keys.orders[sort.replace(/^-/, '')];
  const value = place?.name === sort.replace(/^-/, '') && key ? readValue(key.type, place.value!) : null;
  const id = place?.id && (keys.id.type === 'text' || WHOLE.test(place.id)) ? place.id : null;
  if (value === null || id === null) throw new Refusal('INVALID_REQUEST', undefined, 'a forged cursor');
  return { ...slice, hasPlace: true, value, id };
}

/** A row with its place: the value of the sort column, and the id that decides between equal ones. */
export type Placed = { cursor_value: string | null } & (
  | { id: string | bigint; cursor_id?: never }
  /** Where the id of the place is another one than that of the row. */
  | { id?: unknown; cursor_id: string | number | bigint }
);

/** A row of a page as it is read, with its place in the list. */
export type Listed<Row> = Row & { cursor_value: string | null };

/** Returns the rows of a page in the order of the list, and the cursors of the pages beside it. */
export function pageOf<Row extends Placed>(found: readonly Row[], slice: Slice) {
  const hasMore = found.length === slice.limit;
  const kept = hasMore ? found.slice(0, -1) : found;
  const rows = slice.isBackwards ? kept.toReversed() : [...kept];
  // The page one came from is there; on the other side there is one if a row more was found.
  const [hasBefore, hasAfter] = slice.isBackwards ? [hasMore, slice.hasPlace] : [slice.hasPlace, hasMore];
  const [first, last] = [rows[0], rows.at(-1)];
  const name = slice.sort.replace(/^-/, '');
  const cursorOf = (side: string, row: Placed) =>
    `${side}:${name}:${row.cursor_value ?? ''}:${String(row.cursor_id ?? row.id)}`;
  return {
    rows,
    turns: {
      // Where everything behind a row has left the list, the page before is its last one.
      previous:
        hasBefore && first
          ? cursorOf('before', first)
          : slice.hasPlace && !slice.isBackwards && !first
            ? 'last'
            : null,
      next: hasAfter && last ? cursorOf('after', last) : null,
      last: hasAfter && last ? 'last' : null,
    },
  };
}

/** The parameters of a list that say nothing of its rows. */
export type PagingName = 'cursor' | 'limit' | 'countAll';

/** How many rows to count at the most: one more than are returned, or all (null). */
export const countedOf = (query: { countAll?: boolean | undefined }): number | null =>
  query.countAll ? null : COUNTED_MAX + 1;

/** Returns a count as replies contain it. */
export const boundedTotal = (count: number, counted: number | null) =>
  counted !== null && count >= counted
    ? { total: counted - 1, isTotalExact: false }
    : { total: count, isTotalExact: true };

/**
 * Returns count and sums of all rows of a filter, as replies contain them; sums are left out where not all rows were
 * counted. Rows without a currency are only counted.
 * @param counted how many rows were counted at the most, from {@link countedOf}
 */
export function boundedTotals(
  sums: readonly { currency: Currency | null; count: number; amount: bigint | null }[],
  counted: number | null,
) {
  const total = boundedTotal(
    sums.reduce((count, sum) => count + sum.count, 0),
    counted,
  );
  return {
    ...total,
    sums: sums.flatMap(({ currency, amount }) =>
      currency === null || amount === null || !total.isTotalExact
        ? []
        : [{ currency, amount: fromMinor(amount, currency) }],
    ),
  };
}

/** The parameters of a list besides its filter. */
type PageQuery = {
  limit?: number | undefined;
  cursor?: string | undefined;
  sort?: string | undefined;
  countAll?: boolean | undefined;
};
type Keys = Pick<KeysetParts, 'orders' | 'id'>;

async function readPage<Row extends Placed, Found extends { rows: readonly Row[] }, Totals>(
  query: PageQuery,
  { keys, standard }: { keys: Keys; standard: string },
  read: (slice: Slice, counted: number | null) => Promise<Found>,
  totalsOf: (found: Found, counted: number | null) => Totals,
) {
  const counted = countedOf(query);
  const slice = sliceOf(query, keys, standard);
  const found = await read(slice, counted);
  const { rows, turns } = pageOf(found.rows, slice);
  return { rows, page: { ...totalsOf(found, counted), ...turns } };
}

/**
 * Reads the page of a list that a request wants, and what its reply says besides the rows. Refuses with
 * INVALID_REQUEST a cursor that no reply of this order can have named.
 * @param list its keys, and the order where the request names none
 * @param read reads the rows, and counts those that fit up to the second argument; null counts all
 */
export const countedPage = <Row extends Placed>(
  query: PageQuery,
  list: { keys: Keys; standard: string },
  read: (slice: Slice, counted: number | null) => Promise<{ rows: readonly Row[]; total: number }>,
) =>
  readPage<Row, Awaited<ReturnType<typeof read>>, ReturnType<typeof boundedTotal>>(
    query,
    list,
    read,
    ({ total }, counted) => boundedTotal(total, counted),
  );

/** Does the same for a list with amounts, which are summed by currency. */
export const summedPage = <Row extends Placed>(
  query: PageQuery,
  list: { keys: Keys; standard: string },
  read: (
    slice: Slice,
    counted: number | null,
  ) => Promise<{
    rows: readonly Row[];
    sums: readonly { currency: Currency | null; count: number; amount: bigint | null }[];
  }>,
) =>
  readPage<Row, Awaited<ReturnType<typeof read>>, ReturnType<typeof boundedTotals>>(
    query,
    list,
    read,
    ({ sums }, counted) => boundedTotals(sums, counted),
  );

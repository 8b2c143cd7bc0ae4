import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from './address.ts';
import { filterOf, type ListCall, type ListReply } from './list-call.ts';
import { type PageSizeChoice, usePageSize, type ViewPage } from './saved-views.ts';
import { type Steady, useSteadyRows } from './steady-rows.ts';

/** Rows of one page of a list inside another page. */
const LIMIT = 25;
/** Rows of the largest page the server sends. */
const LIMIT_MAX = 100;
/** How many rows of a filter can be selected over all its pages. */
export const SELECTED_MAX = 1_000;

const cursored = (cursor: string, limit = LIMIT) => ({ limit, ...(cursor && { cursor }) });

/** The value of a filter that has a default, for all rows without restriction. */
export const ANY = 'ALL';

/** Rows for a table that shows them as they are. */
export const still = <Row>(rows: readonly Row[] | undefined): Steady<Row>[] =>
  (rows ?? []).map((row) => ({ row, isGone: false }));

/** Turns to other pages of a list; null where there is no such page. */
export type Turns = Record<'first' | 'previous' | 'next' | 'last', (() => void) | null>;

/** How all rows are counted where a reply stopped counting. */
export interface CountAll {
  /** Starts counting; null once all were counted. */
  start: (() => void) | null;
  isCounting: boolean;
  error: unknown;
}

/** The totals of a list; without `countAll` they are of all rows. */
export interface ListTotals {
  total: number | undefined;
  isTotalExact?: boolean;
  sums?: ListReply['sums'];
  countAll?: CountAll;
}

/** What the table of a list is given: its rows, totals, paging and how far reading is. */
export interface ListRows<Row> extends ListTotals {
  rows: Steady<Row>[];
  turns: Turns;
  pageSize?: PageSizeChoice;
  list: Pick<UseQueryResult, 'error' | 'isFetching' | 'isPending' | 'isPlaceholderData' | 'refetch'>;
}

/**
 * Turns to the pages that a reply names; `go` takes a cursor, null for the first page. That page can be reached from
 * any other, also one that has no rows any more.
 */
function turnsOf(
  reply: ListReply | undefined,
  cursor: string | null,
  go: (cursor: string | null) => void,
): Turns {
  const turnTo = (cursor: string | null | undefined) => (cursor ? () => go(cursor) : null);
  return {
    first: cursor || reply?.previous ? () => go(null) : null,
    previous: turnTo(reply?.previous),
    next: turnTo(reply?.next),
    last: turnTo(reply?.last),
  };
}

/**
 * Returns the totals of a reply, and those of all rows once an operator had them counted for these filters.
 * @param key names the list and its filters
 */
function useTotals(
  key: readonly unknown[],
  reply: ListReply | undefined,
  countAll: () => Promise<ListReply>,
): ListTotals {
  const name = JSON.stringify(key);
  const [wanted, setWanted] = useState('');
  const isBounded = reply?.isTotalExact === false;
  // A key of its own: live events must not count a million rows again.
  const all = useQuery({
    queryKey: ['count-all', name],
    queryFn: countAll,
    enabled: isBounded && wanted === name,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = (isBounded && all.data) || reply;
  const start = wanted === name ? () => void all.refetch() : () => setWanted(name);
  return {
    total: shown?.total,
    sums: shown?.sums,
    isTotalExact: shown?.isTotalExact ?? true,
    ...(isBounded && {
      countAll: { start: all.data ? null : start, isCounting: all.isFetching, error: all.error },
    }),
  };
}

/** What a list reads: one page, or one row with all counted. */
type CursorPaging = { limit: number; cursor?: string; countAll?: boolean };
const COUNT_ALL = { limit: 1, countAll: true } as const;

export interface CursorSource<Reply, Row> {
  /** Cache key without the page; live events invalidate by its first element. */
  queryKey: readonly unknown[];
  read: (paging: CursorPaging) => Promise<Reply>;
  rowsOf: (reply: Reply) => readonly Row[];
  refetchInterval?: number;
}

/** The position of a list, and how it changes; null is the first page. */
export type Place = [cursor: string | null, go: (cursor: string | null) => void];

/** Stores the position of a list until its name changes. */
function useLocalPlace(name: string): Place {
  const [place, setPlace] = useState<{ name: string; cursor: string | null }>({ name, cursor: null });
  return [place.name === name ? place.cursor : null, (cursor) => setPlace({ name, cursor })];
}

/** Reads a list inside another page; its position is local state, or is stored elsewhere. */
export function useCursorList<Reply extends ListReply, Row>(
  { queryKey, read, rowsOf, refetchInterval }: CursorSource<Reply, Row>,
  place?: Place,
): ListRows<Row> {
  const local = useLocalPlace(JSON.stringify(queryKey));
  const [cursor, go] = place ?? local;
  const list = useQuery({
    queryKey: [...queryKey, cursor],
    queryFn: () => read(cursored(cursor ?? '')),
    placeholderData: keepPreviousData,
    ...(refetchInterval && { refetchInterval }),
  });
  const totals = useTotals(queryKey, list.data, () => read(COUNT_ALL));
  const rows = still(list.data && rowsOf(list.data));
  return { ...totals, rows, turns: turnsOf(list.data, cursor, go), list };
}

interface ListSource<Filter, Reply, Row> extends ListCall<Filter, Reply> {
  rowsOf: (reply: Reply) => readonly Row[];
  /** Further values of the query; they win over the address. */
  query?: Partial<Filter>;
  /** What else starts the list again, besides the address. */
  listKey?: string;
  isEnabled?: boolean;
  refetchInterval?: number;
  /** The page whose chosen size applies. */
  pageName?: ViewPage;
}

/** The list of a page: `query` is what it was read with. */
export interface List<Filter, Row> extends ListRows<Row> {
  query: Filter;
  /** The same for every page and order of one filter. */
  filterKey: string;
  /** Reads the rows of all pages of the filter, the first 1,000 in its order. */
  readAll(): Promise<Row[]>;
}

/** Reads the rows of all pages of a list, the first 1,000 in its order. */
export async function readAllPages<Reply extends ListReply, Row>(
  read: (paging: CursorPaging) => Promise<Reply>,
  rowsOf: (reply: Reply) => readonly Row[],
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null | undefined = '';
  do {
    const reply: Reply = await read(cursored(cursor, LIMIT_MAX));
    all.push(...rowsOf(reply));
    cursor = reply.next;
  } while (cursor && all.length < SELECTED_MAX);
  return all.slice(0, SELECTED_MAX);
}

/**
 * Reads the list of a page with the filters, order and place of the address. Rows keep their places until the
 * address, the page size or `listKey` changes.
 */
export function useList<Filter extends object, Reply extends ListReply, Row extends { id: string }>(
  source: ListSource<Filter, Reply, Row>,
): List<Filter, Row> {
  const address = useAddress();
  const filter = { ...filterOf(source, address.get), ...source.query };
  // The address is text that the server validates; only its names are known here.
  const pageSize = usePageSize(source.pageName);
  const query = {
    ...cursored(address.get('cursor'), pageSize.size),
    ...filter,
  } as unknown as Filter;
  const list = useQuery({
    queryKey: [...source.queryKey, query],
    queryFn: () => source.read(query),
    placeholderData: keepPreviousData,
    enabled: source.isEnabled ?? true,
    ...(source.refetchInterval && { refetchInterval: source.refetchInterval }),
  });
  const found = list.data && !list.isPlaceholderData ? source.rowsOf(list.data) : undefined;
  const rows = useSteadyRows(found, [source.listKey, address.key, pageSize.size].filter(Boolean).join(' '));
  const go = (cursor: string | null) => address.set({ cursor });
  const totals = useTotals([source.queryKey, { ...filter, sort: undefined }], list.data, () =>
    source.read({ ...filter, ...COUNT_ALL } as unknown as Filter),
  );
  const readAll = () =>
    readAllPages((paging) => source.read({ ...filter, ...paging } as unknown as Filter), source.rowsOf);
  return {
    ...totals,
    filterKey: JSON.stringify({ ...filter, sort: undefined }),
    readAll,
    turns: turnsOf(list.data, address.get('cursor'), go),
    ...(source.pageName && { pageSize }),
    query,
    rows,
    list,
  };
}

import type { Currency } from '@krapao/contract/shared';
import { timesOfDays } from './days.ts';

export interface ListReply {
  /** Absent: the list is not counted. */
  total?: number;
  /** false: more than `total` rows fit, and `sums` is empty. */
  isTotalExact?: boolean;
  sums?: readonly { currency: Currency; amount: number }[];
  /** The cursors of the pages beside this one. */
  previous?: string | null;
  next?: string | null;
  last?: string | null;
}

/** Reads a parameter of an address; empty where it has none. */
type Get = (name: string) => string;

/** How the list of a page is read, and what of the address is its filter. */
export interface ListCall<Filter, Reply> {
  /** Cache key without the query; live events invalidate by its first element. */
  queryKey: readonly string[];
  read: (query: Filter) => Promise<Reply>;
  /** The parameters of the address that are sent under their own names. */
  filters?: readonly (keyof Filter & string)[];
  /** Whether the days of the address are sent. */
  hasDays?: boolean;
  /** Values that the address gives in another form, or has defaults of; they win over those of their own names. */
  valuesOf?: (get: Get) => Partial<Filter>;
}

/** The order and filters of an address as the query of a list; the server validates them. */
export function filterOf<Filter, Reply>(
  { filters = [], hasDays, valuesOf }: ListCall<Filter, Reply>,
  get: Get,
): Partial<Filter> {
  const named = ['sort', ...filters].map((name) => [name, get(name) || undefined]);
  return {
    ...(hasDays && timesOfDays(get('from'), get('to'))),
    ...Object.fromEntries(named),
    ...valuesOf?.(get),
  };
}

/** A list that can be counted for any address of its page. */
export interface CountedList {
  queryKey: readonly string[];
  /** Reads one row, with how many there are; `address` is a query string. */
  count: (address: string) => Promise<ListReply>;
}

/** The call of a list, with what counts it. */
export function counted<Filter, Reply extends ListReply>(
  call: ListCall<Filter, Reply>,
): ListCall<Filter, Reply> & CountedList {
  return {
    ...call,
    count(address) {
      const params = new URLSearchParams(address);
      const filter = filterOf(call, (name) => params.get(name) ?? '');
      return call.read({ ...filter, limit: 1 } as unknown as Filter);
    },
  };
}

import { useMemo } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';
import { filterOf, type StatementFilter, searchOf } from './filter.ts';

/** The filter lives in the address: a reload keeps it, and it can be sent to oneself. */
export function useFilter(): [StatementFilter, (filter: StatementFilter) => void] {
  const search = useSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const set = (next: StatementFilter) =>
    navigate(`${location.pathname}${searchOf(next)}`, { replace: true, state: history.state });
  return [filter, set];
}

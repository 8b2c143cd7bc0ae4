import { shortAmount } from '@krapao/ui/text/amount-text.ts';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CountedList, ListReply } from '../platform/list-call.ts';
import { LIST_CALLS } from '../platform/list-calls.ts';
import type { View, ViewPage } from '../platform/saved-views.ts';

/** The figures have rows of days and kinds, which are not counted. */
const COUNTED: Partial<Record<ViewPage, CountedList>> = LIST_CALLS;

/**
 * How old a count may be. Events of the list do not read it again: on a busy day there are several a second, and each
 * page has several views.
 */
const FRESH_MS = 30_000;

/** How many rows a view has now; nothing where its list is not counted or cannot be read. */
export function ViewCount({ of: { pageName, address } }: { of: View }) {
  const list = COUNTED[pageName];
  const { data, isError } = useQuery({
    enabled: list !== undefined,
    queryKey: ['view-count', pageName, address],
    queryFn: (): ListReply | Promise<ListReply> => list?.count(address) ?? {},
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  if (isError || data?.total === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      {`${shortAmount(data.total)}${data.isTotalExact === false ? '+' : ''}`}
    </Text>
  );
}

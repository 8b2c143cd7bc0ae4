import { useState } from 'react';
import { focusFilter } from '../components/page.tsx';
import { type Keys, useKeys } from './keys.ts';
import type { Steady } from './steady-rows.ts';

/**
 * `j` and `k` move, `Enter` opens, `/` leads to the filter; a page adds its own keys.
 * @param onMove called with the row that `j` or `k` moved to
 */
export function useListKeys<Row extends { id: string }>(
  rows: readonly Steady<Row>[],
  open: (row: Row) => void,
  more: (current: Row | undefined) => Keys = () => ({}),
  onMove: (row: Row) => void = () => undefined,
) {
  const [current, setCurrent] = useState<string | null>(null);
  const index = rows.findIndex(({ row }) => row.id === current);
  const move = (by: number) => {
    const next = rows[Math.min(Math.max(index + by, 0), rows.length - 1)];
    if (!next) return;
    setCurrent(next.row.id);
    onMove(next.row);
  };
  const row = rows[index]?.row;
  useKeys({
    j: () => move(1),
    k: () => move(index < 0 ? 1 : -1),
    Enter: () => row && open(row),
    '/': focusFilter,
    ...more(row),
  });
  return { current, setCurrent };
}

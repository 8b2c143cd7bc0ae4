import { useRef } from 'react';

export interface Steady<Row> {
  row: Row;
  /** No longer in the list; it stays where it was until the list is read again. */
  isGone: boolean;
}

/**
 * Rows that do not jump under the cursor: while the same list is shown, rows keep their places, changed ones change
 * in place, those that left stay greyed, and new ones join at the end.
 */
export function useSteadyRows<Row extends { id: string }>(
  rows: readonly Row[] | undefined,
  listKey: string,
): Steady<Row>[] {
  const shown = useRef<{ key: string; rows: Steady<Row>[] }>({ key: '', rows: [] });
  if (!rows) return shown.current.key === listKey ? shown.current.rows : [];
  if (shown.current.key !== listKey) {
    shown.current = { key: listKey, rows: rows.map((row) => ({ row, isGone: false })) };
    return shown.current.rows;
  }
  const now = new Map(rows.map((row) => [row.id, row]));
  const kept = shown.current.rows.map(({ row }) => {
    const fresh = now.get(row.id);
    now.delete(row.id);
    return fresh ? { row: fresh, isGone: false } : { row, isGone: true };
  });
  shown.current.rows = [...kept, ...[...now.values()].map((row) => ({ row, isGone: false }))];
  return shown.current.rows;
}

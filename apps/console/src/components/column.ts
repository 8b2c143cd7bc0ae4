import type { ReactNode } from 'react';

/** A column of a list: its name, its cells, and its options. */
export interface Column<Row> {
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  isRight?: boolean;
  /** By what the server sorts for this column, if it does. */
  sort?: string;
  /** Always shown. */
  isFixed?: boolean;
}

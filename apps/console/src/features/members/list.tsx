import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { type Path, useGo } from '../../platform/paths.ts';

/** Rows for a table that shows them as they are. */
export const still = <Row,>(rows: readonly Row[] | undefined) =>
  (rows ?? []).map((row) => ({ row, isGone: false }));

interface ListProps<Row> {
  name: string;
  columns: readonly Column<Row>[];
  ask: (page: number) => Promise<{ rows: Row[]; total: number }>;
  queryKey: readonly unknown[];
  /** Where a row is looked at and acted on. */
  placeOf?: (row: Row) => Path;
}

/** A paged list inside the member's page. */
export function List<Row extends { id: string }>({ name, columns, ask, queryKey, placeOf }: ListProps<Row>) {
  const go = useGo();
  const [page, setPage] = useState(1);
  const list = useQuery({
    queryKey: [...queryKey, page],
    queryFn: () => ask(page),
    placeholderData: keepPreviousData,
  });
  return (
    <DataTable
      name={name}
      columns={columns}
      rows={still(list.data?.rows)}
      total={list.data?.total}
      page={page}
      onPage={setPage}
      list={list}
      {...(placeOf ? { onOpen: (row: Row) => go(placeOf(row)) } : {})}
    />
  );
}

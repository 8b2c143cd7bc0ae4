import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { type Path, useGo } from '../../platform/paths.ts';
import { type ListReply, type PagedSource, usePagedList } from '../../platform/use-list.ts';

interface ListProps<Reply, Row> extends PagedSource<Reply, Row> {
  name: string;
  columns: readonly Column<Row>[];
  /** Where a row is looked at and acted on. */
  placeOf?: (row: Row) => Path;
}

/** A paged list inside the member's page. */
export function List<Reply extends ListReply, Row extends { id: string }>(props: ListProps<Reply, Row>) {
  const { name, columns, placeOf, ...source } = props;
  const go = useGo();
  // A member's lists have no sums: what is theirs stands above the tabs.
  const { sums: _, ...list } = usePagedList(source);
  const onOpen = placeOf && ((row: Row) => go(placeOf(row)));
  return <DataTable name={name} columns={columns} {...list} {...(onOpen && { onOpen })} />;
}

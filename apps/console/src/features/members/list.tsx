import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import type { ListReply } from '../../platform/list-call.ts';
import { type Path, useGo } from '../../platform/paths.ts';
import { type CursorSource, type ListRows, useCursorList } from '../../platform/use-list.ts';

interface TableProps<Row> {
  name: string;
  columns: readonly Column<Row>[];
  /** Where a row is looked at and acted on. */
  placeOf?: ((row: Row) => Path | null) | undefined;
}

/** A list of the member's page. */
export function CursorList<Reply extends ListReply, Row extends { id: string }>(
  props: TableProps<Row> & CursorSource<Reply, Row>,
) {
  const { name, columns, placeOf, ...source } = props;
  return <MemberTable {...{ name, columns, placeOf }} list={useCursorList(source)} />;
}

function MemberTable<Row extends { id: string }>(props: TableProps<Row> & { list: ListRows<Row> }) {
  const { name, columns, placeOf } = props;
  const go = useGo();
  // A member's lists have no sums: the member's totals are above the tabs.
  const { sums: _, ...list } = props.list;
  const onOpen =
    placeOf &&
    ((row: Row) => {
      const place = placeOf(row);
      if (place) go(place);
    });
  return <DataTable name={name} columns={columns} {...list} {...(onOpen && { onOpen })} />;
}

import { Box, Group, NumberInput, Paper } from '@mantine/core';
import { type ReactNode, useCallback, useEffect } from 'react';
import { useAddress } from '../platform/address.ts';
import type { Keys } from '../platform/keys.ts';
import { useListKeys } from '../platform/list-keys.ts';
import type { ViewPage } from '../platform/saved-views.ts';
import { ANY, type List } from '../platform/use-list.ts';
import { ChoiceChips, type ChoicesDef, ChoicesFilter } from './choices-filter.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { ListTools } from './list-tools.tsx';
import { FilterField, FilterSelect, Page, useSettled } from './page.tsx';

/** The text filter, stored in the address as `q`. */
export function TextFilter() {
  const { get, set } = useAddress();
  const change = useCallback((q: string) => set({ q }), [set]);
  return <FilterField value={get('q')} onChange={change} />;
}

/** A bound of amounts, stored in the address under `name`; it takes effect after the typing pauses. */
export function AmountFilter({ name, label }: { name: string; label: string }) {
  const { get, set } = useAddress();
  const value = get(name);
  const change = useCallback((amount: string) => set({ [name]: amount }), [set, name]);
  const [typed, setTyped] = useSettled(value, change);
  return (
    <NumberInput
      aria-label={label}
      placeholder={label}
      min={0}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      value={typed}
      onChange={(amount) => setTyped(String(amount))}
      w={120}
    />
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: { value: string; label: string }[];
  /** What is chosen while the address names nothing; with `ANY` among the options, clearing chooses that. */
  initial?: string;
}

/** A filter with few values, stored in the address under `name`. */
export function ChoiceFilter({ name, label, options, initial = '' }: ChoiceProps) {
  const address = useAddress();
  const cleared = options.some(({ value }) => value === ANY) ? ANY : '';
  return (
    <FilterSelect
      label={label}
      value={address.get(name) || initial}
      options={options}
      onChange={(value) => address.set({ [name]: value || cleared })}
    />
  );
}

interface ListTableProps<Row> {
  list: List<object, Row>;
  name: string;
  columns: readonly Column<Row>[];
  /** Whose saved views and columns apply; without it there are none. */
  pageName?: ViewPage | undefined;
  /** The order while the address names none. */
  order?: string;
  empty?: string;
  foot?: ReactNode;
  isTurnedByKey?: boolean;
  /** What a click on a row does. */
  onOpen?: ((row: Row) => void) | undefined;
  /** What Enter does with the current row; `onOpen` where not given. */
  onEnter?: (row: Row) => unknown;
  /** Further keys of the page. */
  keys?: (current: Row | undefined) => Keys;
  isDense?: boolean;
  /** The row that is open beside the list. */
  openId?: string;
}

/** The table of a page's list, with the keys that move through it. */
export function ListTable<Row extends { id: string }>(props: ListTableProps<Row>) {
  const { list, onOpen, onEnter = onOpen, keys, openId, ...table } = props;
  const { query: _, ...rows } = list;
  const { current, setCurrent } = useListKeys(
    rows.rows,
    (row) => onEnter?.(row),
    keys,
    // The row that keys decide is the one that is read beside the list.
    (row) => openId && onOpen?.(row),
  );
  // The page may open another row by itself.
  useEffect(() => {
    if (openId) setCurrent(openId);
  }, [openId, setCurrent]);
  const open = (row: Row) => {
    if (openId !== undefined) setCurrent(row.id);
    onOpen?.(row);
  };
  return (
    <DataTable {...table} {...rows} current={current ?? openId ?? null} {...(onOpen && { onOpen: open })} />
  );
}

interface ListPageProps<Row> extends Omit<ListTableProps<Row>, 'name' | 'openId'> {
  title: string;
  /** Name of the table where it differs from the title. */
  name?: string;
  filters?: ReactNode;
  /** Filters of several values; the chosen values are shown below all filters. */
  choices?: readonly ChoicesDef[];
  actions?: ReactNode;
  /** What can be done with the selected rows; stays at the lower edge of the screen, so that no row moves for it. */
  selectionBar?: ReactNode;
  /** The content above the filters. */
  above?: ReactNode;
  /** Draws the row that the address opens beside the list; rows then open there. */
  panel?: (id: string, onClose: () => void) => ReactNode;
  /** Ids of columns that only other views of the page have. */
  otherColumns?: readonly string[];
  /** Columns that the panel repeats: hidden while it is open, and offered all the same. */
  inPanel?: readonly string[];
  /** Dialogs. */
  children?: ReactNode;
}

/** A page that shows one list: title, saved views, columns and export, filters, table. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const {
    title,
    filters,
    choices = [],
    actions,
    selectionBar,
    above,
    panel,
    inPanel = [],
    otherColumns,
    children,
    keys,
    name = title,
    ...table
  } = props;
  const { pageName, columns, list } = table;
  const address = useAddress();
  const openId = address.get('open');
  const close = () => address.set({ open: null });
  const opening = panel && {
    openId,
    onOpen: (row: Row) => address.set({ open: row.id }),
    keys: (row: Row | undefined) => ({ Escape: close, ...keys?.(row) }),
  };
  const page = (
    <Page
      title={title}
      actions={
        <>
          {actions}
          {pageName && (
            <ListTools pageName={pageName} columns={columns} otherColumns={otherColumns} query={list.query} />
          )}
        </>
      }
    >
      {above}
      {(filters || choices.length > 0) && (
        <Group gap="xs">
          {filters}
          {choices.map((def) => (
            <ChoicesFilter key={def.name} of={def} />
          ))}
        </Group>
      )}
      <ChoiceChips of={choices} />
      <ListTable
        {...table}
        columns={openId ? columns.filter(({ id }) => !inPanel.includes(id)) : columns}
        name={name}
        {...(keys && { keys })}
        {...opening}
      />
      {selectionBar && (
        <Paper withBorder shadow="md" p="xs" pos="sticky" bottom={12} style={{ zIndex: 2 }}>
          {selectionBar}
        </Paper>
      )}
      {children}
    </Page>
  );
  if (!panel) return page;
  return (
    <Group align="flex-start" wrap="nowrap" gap="md">
      <Box style={{ flex: 1, minWidth: 0 }}>{page}</Box>
      {openId && panel(openId, close)}
    </Group>
  );
}

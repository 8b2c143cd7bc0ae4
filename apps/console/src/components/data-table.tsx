import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  ActionIcon,
  Box,
  Button,
  Center,
  Group,
  Loader,
  Paper,
  Select,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide';
import { type ReactNode, useEffect, useRef } from 'react';
import { errorText } from '../platform/error-text.ts';
import { useKeys } from '../platform/keys.ts';
import { PAGE_SIZES, type PageSizeChoice, useShownColumns, type ViewPage } from '../platform/saved-views.ts';
import type { Steady } from '../platform/steady-rows.ts';
import type { CountAll, ListTotals, Turns } from '../platform/use-list.ts';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { Icon } from './icons.tsx';
import { ReadError } from './read-error.tsx';
import { Head } from './table-head.tsx';

const features = tableFeatures({});

interface TableProps<Row> extends ListTotals {
  name: string;
  /** The page whose chosen columns are shown; without one there are all. */
  pageName?: ViewPage;
  /** The order while the address names none. */
  order?: string;
  columns: readonly Column<Row>[];
  rows: readonly Steady<Row>[];
  /** Without turns all rows are at hand. */
  turns?: Turns;
  /** How many rows a page has, where that can be chosen. */
  pageSize?: PageSizeChoice;
  /** How far the reading of it is; none where the rows are at hand. While another list's rows stand in, it is under way. */
  list?: Pick<UseQueryResult, 'error' | 'isFetching' | 'isPending' | 'isPlaceholderData' | 'refetch'>;
  /** What the list will contain and when, shown while it has no row. */
  empty?: string;
  /** The row under the keyboard. */
  current?: string | null;
  onOpen?: (row: Row) => void;
  /** Whether `[` and `]` turn its pages; not where the page has them for something else. */
  isTurnedByKey?: boolean;
  /** Whether rows are low, for queues. */
  isDense?: boolean;
  foot?: ReactNode;
}

/** A list of a page: paged by the server, one row under the keyboard, sums of all that fits the filter. */
export function DataTable<Row extends { id: string }>(props: TableProps<Row>) {
  const { rows, current, onOpen } = props;
  const columns = useShownColumns(props.pageName, props.columns);
  const helper = createColumnHelper<typeof features, Steady<Row>>();
  const table = useTable({
    features,
    data: rows as Steady<Row>[],
    columns: columns.map(({ id }) => helper.display({ id })),
    getRowId: ({ row }) => row.id,
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  usePageKeys(props);
  const currentRow = useRef<HTMLTableRowElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the row under the keyboard
  useEffect(() => {
    // Browsers that answer with a promise must not have it taken for a clean-up.
    void currentRow.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <Paper withBorder>
      <div className={styles.scroll}>
        <Table
          verticalSpacing="xs"
          className={styles.table}
          data-dense={props.isDense}
          highlightOnHover={Boolean(onOpen)}
          aria-label={props.name}
        >
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {columns.map((column) => (
                  <Head key={column.id} column={column} order={props.order} />
                ))}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {table.getRowModel().rows.map((row) => (
              <Table.Tr
                key={row.id}
                ref={row.id === current ? currentRow : undefined}
                className={styles.row}
                data-opens={Boolean(onOpen)}
                data-gone={row.original.isGone}
                data-current={row.id === current}
                aria-current={row.id === current ? 'true' : undefined}
                onClick={onOpen && (() => onOpen(row.original.row))}
              >
                {row.getAllCells().map(({ id, column }) => (
                  <Table.Td key={id} ta={byId.get(column.id)?.isRight ? 'right' : undefined}>
                    {/* Not FlexRender: it takes a column's function for a component, a new one at each drawing, and
                        makes every button again; a press under way is lost with the one it began on. */}
                    {canDraw(row.original, column.id) && byId.get(column.id)?.cell(row.original.row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Status {...props} />
      <Foot {...props} />
    </Paper>
  );
}

/** A row that left the list takes no action any more. */
const canDraw = ({ isGone }: Steady<unknown>, columnId: string): boolean => !isGone || columnId !== 'actions';

function usePageKeys<Row>({ turns, isTurnedByKey = true }: TableProps<Row>): void {
  useKeys(isTurnedByKey ? { '[': () => turns?.previous?.(), ']': () => turns?.next?.() } : {});
}

function Foot<Row>(props: TableProps<Row>) {
  const { t } = useText();
  const { total, turns, foot, pageSize } = props;
  const hasTurns = turns && Object.values(turns).some(Boolean);
  // A list that is not counted and has one page only has no footer.
  if (total === undefined && !hasTurns && !foot && !pageSize) return null;
  return (
    <Group justify="space-between" p="sm" style={{ background: 'var(--surface-2)' }}>
      <Group gap="md">
        {props.total !== undefined && (
          <Text size="sm" c="dimmed">
            {t(props.isTotalExact === false ? 'table.more' : 'table.total', { count: props.total })}
          </Text>
        )}
        {props.countAll && <CountAllButton of={props.countAll} />}
        {props.sums?.map(({ currency, amount }) => (
          <Text key={currency} size="sm" component="div">
            {t('table.sum')} <Money amount={amount} currency={currency} />
          </Text>
        ))}
      </Group>
      <Group gap="sm">
        {props.pageSize && <SizeSelect of={props.pageSize} />}
        {props.turns && <TurnButtons of={props.turns} />}
      </Group>
      {props.foot}
    </Group>
  );
}

/** How many rows a page has. */
function SizeSelect({ of: { size, choose } }: { of: PageSizeChoice }) {
  const { t } = useText();
  return (
    <Select
      size="xs"
      w={112}
      aria-label={t('table.pageSize')}
      allowDeselect={false}
      value={String(size)}
      data={PAGE_SIZES.map((one) => ({ value: String(one), label: t('table.rows', { count: one }) }))}
      onChange={(value) => {
        const next = PAGE_SIZES.find((one) => String(one) === value);
        if (next) choose(next);
      }}
    />
  );
}

/** Has all rows counted and summed where the list stopped at a number; nothing once it is done. */
function CountAllButton({ of: { start, isCounting, error } }: { of: CountAll }) {
  const { t } = useText();
  if (!start) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" loading={isCounting} onClick={start}>
        {t('table.countAll')}
      </Button>
      {Boolean(error) && !isCounting && (
        <Text role="alert" size="sm" c="var(--bad)">
          {errorText(t, error)}
        </Text>
      )}
    </>
  );
}

const TURN_ICONS = {
  first: ChevronFirst,
  previous: ChevronLeft,
  next: ChevronRight,
  last: ChevronLast,
} as const;

/** Leads to the first, previous, next and last page; nothing while there is one page only. */
function TurnButtons({ of: turns }: { of: Turns }) {
  const { t } = useText();
  const sides = ['first', 'previous', 'next', 'last'] as const;
  if (sides.every((side) => !turns[side])) return null;
  return (
    <Group gap={4}>
      {sides.map((side) => (
        <ActionIcon
          key={side}
          variant="default"
          aria-label={t(`table.${side}`)}
          disabled={!turns[side]}
          onClick={() => turns[side]?.()}
        >
          <Icon of={TURN_ICONS[side]} />
        </ActionIcon>
      ))}
    </Group>
  );
}

function Status<Row>({ list, rows, empty }: Pick<TableProps<Row>, 'list' | 'rows' | 'empty'>) {
  const { t } = useText();
  if (list?.error)
    return (
      <Box p="md">
        <ReadError of={list} />
      </Box>
    );
  if (rows.length > 0) return null;
  return (
    <Center p="xl">
      {list?.isPending || list?.isPlaceholderData ? (
        <Loader size="sm" />
      ) : (
        <Stack gap={4} align="center" maw={520} ta="center">
          <Text fw={empty ? 600 : 400} c={empty ? undefined : 'dimmed'}>
            {t('table.empty')}
          </Text>
          {empty && (
            <Text size="sm" c="dimmed">
              {empty}
            </Text>
          )}
        </Stack>
      )}
    </Center>
  );
}

import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Modal, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { refusalText } from '../platform/error-text.ts';
import { type List, SELECTED_MAX } from '../platform/use-list.ts';
import { State } from './cells.tsx';
import type { Column } from './column.ts';
import { FOCUSED } from './focused.ts';
import { useNotice } from './notice.tsx';

/** How many rows one call takes. */
const CALL_MAX = 100;

/** The result of one call for many rows, for each row; `refusal` is null for a row that was done. */
export interface RowResult {
  id: string;
  refusal: string | null;
  by: string | null;
  now: string | null;
}

/** The text of a row's refusal. */
export const refusalOfRow = (t: Translate, { refusal, by, now }: RowResult): string =>
  refusalText(t, refusal ?? '', { by, state: now });

/** What of a list is needed to select its rows. */
export type SelectableList<Row> = Pick<List<object, Row>, 'rows' | 'total' | 'filterKey' | 'readAll'>;

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Rows selected on any page of a list, until they are cleared or the filter changes: no row stays selected that the list
 * hides.
 * @param canSelect whether a row has a checkbox
 */
export function useSelection<Row extends { id: string }>(
  list: SelectableList<Row>,
  canSelect: (row: Row) => boolean,
) {
  const { filterKey } = list;
  const [last, setLast] = useState({ filterKey, selected: NONE as ReadonlyMap<string, Row>, hasAll: false });
  const selectedIn = (state: typeof last) => (state.filterKey === filterKey ? state.selected : NONE);
  const shown = new Map(list.rows.map(({ row }) => [row.id, row]));
  // A row of this page is the one that live events keep up to date.
  const selected: ReadonlyMap<string, Row> = new Map(
    [...selectedIn(last)].map(([id, row]) => [id, shown.get(id) ?? row]),
  );
  const free = list.rows.filter(({ row, isGone }) => !isGone && canSelect(row)).map(({ row }) => row);
  const hasAll = last.hasAll && last.filterKey === filterKey;
  const isAll = free.length > 0 && free.every(({ id }) => selected.has(id));
  const change = (
    some: readonly Row[],
    isOn: (known: ReadonlyMap<string, Row>, row: Row) => boolean,
    isWhole = false,
  ) =>
    setLast((state) => {
      const known = selectedIn(state);
      const next = new Map<string, Row>(known);
      for (const row of some) {
        if (isOn(known, row) && canSelect(row)) next.set(row.id, row);
        else next.delete(row.id);
      }
      return { filterKey, selected: next, hasAll: isWhole };
    });
  return {
    selected,
    isAll,
    isSome: free.some(({ id }) => selected.has(id)),
    canSelect,
    toggle: (row: Row) => change([row], (known, { id }) => !known.has(id)),
    toggleAll: () => change(free, () => !isAll),
    /** Rows on all pages, where this page is not all and not all were selected; undefined until they were counted. */
    more: hasAll || list.rows.length >= (list.total ?? 0) ? undefined : list.total,
    /** Selects the rows of all pages of the filter that can be selected, the first 1,000. */
    selectAll: async () => change(await list.readAll(), () => true, true),
    drop: (rows: readonly Row[]) => change(rows, () => false),
    clear: () => setLast({ filterKey, selected: NONE, hasAll: false }),
  };
}

export type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;

/** The column of checkboxes. */
export function useSelectionColumn<Row extends { id: string }>(selection: Selection<Row>): Column<Row> {
  const { t } = useText();
  return {
    id: 'select',
    isFixed: true,
    head: (
      <Checkbox
        aria-label={t('table.selectAll')}
        checked={selection.isAll}
        indeterminate={selection.isSome && !selection.isAll}
        onChange={selection.toggleAll}
      />
    ),
    cell: (row) =>
      // A row that was decided after it was selected can still be taken out.
      (selection.canSelect(row) || selection.selected.has(row.id)) && (
        <Checkbox
          aria-label={t('table.select', { id: row.id })}
          checked={selection.selected.has(row.id)}
          onChange={() => selection.toggle(row)}
          onClick={(event) => event.stopPropagation()}
        />
      ),
  };
}

/** `compact-xs` where the list is narrow. */
export type ButtonSize = 'sm' | 'compact-xs';

/** Selects the rows of all pages, once all of this one are selected; clears the selection. */
export function SelectionButtons<Row extends { id: string }>({
  of,
  size = 'sm',
}: {
  of: Selection<Row>;
  size?: ButtonSize;
}) {
  const { t } = useText();
  const notice = useNotice();
  const [isReading, setReading] = useState(false);
  const { isAll, more } = of;
  const selectAll = async () => {
    setReading(true);
    await of.selectAll().catch(notice.complain);
    setReading(false);
  };
  return (
    <>
      {isAll && more !== undefined && (
        <Button size={size} variant="light" loading={isReading} onClick={() => void selectAll()}>
          {more > SELECTED_MAX
            ? t('bulk.selectFirst', { max: SELECTED_MAX })
            : t('bulk.selectAll', { count: more })}
        </Button>
      )}
      <Button size={size} variant="default" onClick={of.clear}>
        {t('bulk.clear')}
      </Button>
    </>
  );
}

/**
 * Sends rows in calls of at most 100. A call that fails ends it: `onError` is called, and the results of the calls before
 * it are returned. Throws when the first call fails.
 */
export async function sendInCalls<Result>(
  rows: readonly { id: string }[],
  send: (ids: string[]) => Promise<{ results: Result[] }>,
  onError: (error: unknown) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  try {
    for (let at = 0; at < rows.length; at += CALL_MAX) {
      const ids = rows.slice(at, at + CALL_MAX).map(({ id }) => id);
      results.push(...(await send(ids)).results);
    }
  } catch (error) {
    onError(error);
    if (results.length === 0) throw error;
  }
  return results;
}

/**
 * The result of every row: refused rows first, with the reason.
 * @param cellsOf the cells that name a row
 * @param stateOf the state of a row that was done
 * @param children buttons beside the one that closes
 */
export function BulkReport<Result extends RowResult>({
  results,
  untried = 0,
  cellsOf,
  stateOf,
  onClose,
  children,
}: {
  results: readonly Result[];
  /** How many rows were left when it was stopped. */
  untried?: number;
  cellsOf: (id: string) => ReactNode;
  stateOf: (result: Result) => string;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useText();
  const failed = results.filter(({ refusal }) => refusal !== null);
  const done = results.filter(({ refusal }) => refusal === null);
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={<Text fw={700}>{t('bulk.result', { done: done.length, failed: failed.length })}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close') }}
    >
      {untried > 0 && <Text size="sm">{t('bulk.untried', { count: untried })}</Text>}
      <Table verticalSpacing={6} aria-label={t('bulk.report')}>
        <Table.Tbody>
          {[...failed, ...done].map((result) => (
            <Table.Tr key={result.id}>
              {cellsOf(result.id)}
              <Table.Td>
                {result.refusal ? (
                  <Text size="sm" c="var(--bad)">
                    {refusalOfRow(t, result)}
                  </Text>
                ) : (
                  <State of={stateOf(result)} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" pt="md">
        {children}
        <Button onClick={onClose} {...FOCUSED}>
          {t('btn.close')}
        </Button>
      </Group>
    </Modal>
  );
}

/** What names a row in the report: a title and a line below. */
export function NameCell({ title, below }: { title: ReactNode; below: ReactNode }) {
  return (
    <Table.Td>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {below}
      </Text>
    </Table.Td>
  );
}

import { ApiError } from '@krapao/ui/api/api-error.ts';
import { isFromServer } from '@krapao/ui/api/decided.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { refusalText } from '../platform/error-text.ts';
import { type List, SELECTED_MAX } from '../platform/use-list.ts';
import { State } from './cells.tsx';
import type { Column } from './column.ts';
import { Dialog } from './dialog.tsx';
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

/** What became of the rows of an action on many. */
export interface Outcome<Result> {
  results: readonly Result[];
  /** Rows of a call whose answer was lost: some or all of them may be done. */
  unknown: readonly string[];
  /** Rows that were not tried, or not reached by the server. */
  untried: readonly string[];
}

/** The text of a row's refusal. */
export const refusalOfRow = (t: Translate, { refusal, by, now }: RowResult): string =>
  refusalText(t, refusal ?? '', { by, state: now });

/** What of a list is needed to select its rows. */
export type SelectableList<Row> = Pick<List<object, Row>, 'rows' | 'total' | 'filterKey' | 'readAll'>;

interface Selected<Row> {
  filterKey: string;
  selected: ReadonlyMap<string, Row>;
  hasAll: boolean;
  /** Grows when the selection is cleared: rows that were read before are not added any more. */
  round: number;
}

const cleared = <Row,>(filterKey: string, round: number): Selected<Row> => ({
  filterKey,
  selected: new Map(),
  hasAll: false,
  round,
});

/**
 * Rows selected on any page of a list, until they are cleared or the filter changes: no row stays selected that the list
 * hides, nor is it selected again when the operator returns to the filter.
 * @param canSelect whether a row has a checkbox
 */
export function useSelection<Row extends { id: string }>(
  list: SelectableList<Row>,
  canSelect: (row: Row) => boolean,
) {
  const { filterKey } = list;
  const [last, setLast] = useState(() => cleared<Row>(filterKey, 0));
  if (last.filterKey !== filterKey) setLast(cleared(filterKey, last.round + 1));
  const shown = new Map(list.rows.map(({ row }) => [row.id, row]));
  // A row of this page is the one that live events keep up to date.
  const selected: ReadonlyMap<string, Row> = new Map(
    [...last.selected].map(([id, row]) => [id, shown.get(id) ?? row]),
  );
  const free = list.rows.filter(({ row, isGone }) => !isGone && canSelect(row)).map(({ row }) => row);
  const isAll = free.length > 0 && free.every(({ id }) => selected.has(id));
  const change = (
    some: readonly Row[],
    isOn: (known: ReadonlyMap<string, Row>, row: Row) => boolean,
    hasAll = false,
  ) =>
    setLast((state) => {
      if (state.round !== last.round) return state;
      const known = state.selected;
      const next = new Map<string, Row>(known);
      for (const row of some) {
        if (isOn(known, row) && canSelect(row)) next.set(row.id, row);
        else next.delete(row.id);
      }
      return { ...state, selected: next, hasAll };
    });
  return {
    selected,
    isAll,
    isSome: free.some(({ id }) => selected.has(id)),
    canSelect,
    toggle: (row: Row) => change([row], (known, { id }) => !known.has(id)),
    toggleAll: () => change(free, () => !isAll),
    /** Rows on all pages, where this page is not all and not all were selected; undefined until they were counted. */
    more: last.hasAll || list.rows.length >= (list.total ?? 0) ? undefined : list.total,
    /** Selects the rows of all pages of the filter that can be selected, the first 1,000, unless it was cleared meanwhile. */
    selectAll: async () => change(await list.readAll(), () => true, true),
    /** Takes the rows out that a report has shown. */
    drop: (reported: readonly { id: string }[]) =>
      setLast((state) => {
        const selected = new Map(state.selected);
        for (const { id } of reported) selected.delete(id);
        return { ...state, selected, hasAll: false };
      }),
    clear: () => setLast((state) => cleared(filterKey, state.round + 1)),
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

/** Whether it is unknown if a failed call was carried out: the server has not refused it. */
export const isLost = (error: unknown): boolean =>
  !(error instanceof ApiError && isFromServer(error) && error.status >= 400 && error.status < 500);

/** Whether the server ended a call at this row. */
export const isFault = ({ refusal }: RowResult): boolean => refusal === 'INTERNAL_SERVER_ERROR';

/**
 * Sends rows in their order, in calls of at most 100. A call that fails ends it, after `onError`, and so does a fault at
 * one row. Throws when the first call is refused: then nothing was done.
 */
export async function sendInCalls<Result extends RowResult>(
  rows: readonly string[],
  send: (ids: string[]) => Promise<{ results: Result[] }>,
  onError: (error: unknown) => void,
): Promise<Outcome<Result>> {
  const results: Result[] = [];
  for (let at = 0; at < rows.length; at += CALL_MAX) {
    const ids = rows.slice(at, at + CALL_MAX);
    try {
      results.push(...(await send(ids)).results);
    } catch (error) {
      onError(error);
      if (isLost(error)) return { results, unknown: ids, untried: rows.slice(at + CALL_MAX) };
      if (at === 0) throw error;
      return { results, unknown: [], untried: rows.slice(at) };
    }
    if (results.some(isFault)) break;
  }
  const tried = new Set(results.map(({ id }) => id));
  return { results, unknown: [], untried: rows.filter((id) => !tried.has(id)) };
}

interface ReportProps<Result> {
  of: Outcome<Result>;
  /** The heading; how many were done and failed by default. */
  title?: (counts: { done: number; failed: number }) => string;
  /** What rows that were not tried are listed with; by default they are counted, because they stay selected. */
  untriedText?: string;
  /** The cells that name a row. */
  cellsOf: (id: string) => ReactNode;
  /** The state of a row that was done. */
  stateOf: (result: Result) => string;
  /** Whether a button beside the one that closes runs: it stays open. */
  isBusy?: boolean;
  onClose: () => void;
  /** Buttons beside the one that closes. */
  children?: ReactNode;
}

/** The result of every row: those without a known one first, then refused rows with the reason. */
export function BulkReport<Result extends RowResult>({
  of: { results, unknown, untried },
  title,
  untriedText,
  cellsOf,
  stateOf,
  isBusy = false,
  onClose,
  children,
}: ReportProps<Result>) {
  const { t } = useText();
  const failed = results.filter(({ refusal }) => refusal !== null);
  const done = results.filter(({ refusal }) => refusal === null);
  const counts = { done: done.length, failed: failed.length };
  const open = [
    ...unknown.map((id) => ({ id, text: t('bulk.unknown') })),
    ...(untriedText === undefined ? [] : untried.map((id) => ({ id, text: untriedText }))),
  ];
  const counted = untriedText === undefined ? untried.length : 0;
  return (
    <Dialog
      size="lg"
      onClose={onClose}
      title={title ? title(counts) : t('bulk.result', counts)}
      isLocked={isBusy}
    >
      {counted > 0 && <Text size="sm">{t('bulk.untried', { count: counted })}</Text>}
      <Table verticalSpacing={6} aria-label={t('bulk.report')}>
        <Table.Tbody>
          {open.map(({ id, text }) => (
            <Table.Tr key={id}>
              {cellsOf(id)}
              <Table.Td>
                <Text size="sm" c="var(--bad)">
                  {text}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
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
        <Button disabled={isBusy} onClick={onClose} {...FOCUSED}>
          {t('btn.close')}
        </Button>
      </Group>
    </Dialog>
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

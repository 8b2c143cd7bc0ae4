import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Modal, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { refusalText } from '../platform/error-text.ts';
import type { Steady } from '../platform/steady-rows.ts';
import { State } from './cells.tsx';
import type { Column } from './column.ts';
import { FOCUSED } from './focused.ts';

/** How many rows one call takes. */
const CALL_MAX = 100;

/** The result of one call for many rows, for each row; `refusal` is null for a row that was done. */
export interface RowResult {
  id: string;
  refusal: string | null;
  by: string | null;
  now: string | null;
}

/**
 * Rows selected on any page of a list, until they are cleared.
 * @param canSelect whether a row's checkbox is enabled
 */
export function useSelection<Row extends { id: string }>(
  rows: readonly Steady<Row>[],
  canSelect: (row: Row) => boolean,
) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const free = rows.filter(({ row, isGone }) => !isGone && canSelect(row)).map(({ row }) => row);
  const isAll = free.length > 0 && free.every(({ id }) => selected.has(id));
  const change = (some: readonly Row[], isOn: (known: ReadonlyMap<string, Row>, row: Row) => boolean) =>
    setSelected((known) => {
      const next = new Map(known);
      for (const row of some) {
        if (isOn(known, row) && canSelect(row)) next.set(row.id, row);
        else next.delete(row.id);
      }
      return next;
    });
  return {
    selected,
    isAll,
    isSome: free.some(({ id }) => selected.has(id)),
    canSelect,
    toggle: (row: Row) => change([row], (known, { id }) => !known.has(id)),
    toggleAll: () => change(free, () => !isAll),
    clear: () => setSelected(new Map()),
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
    cell: (row) => (
      <Checkbox
        aria-label={t('table.select', { id: row.id })}
        checked={selection.selected.has(row.id)}
        disabled={!selection.canSelect(row)}
        onChange={() => selection.toggle(row)}
        onClick={(event) => event.stopPropagation()}
      />
    ),
  };
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
  cellsOf,
  stateOf,
  onClose,
  children,
}: {
  results: readonly Result[];
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
      title={<Text fw={700}>{t('withdrawals.bulkDone', { done: done.length, failed: failed.length })}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close') }}
    >
      <Table verticalSpacing={6} aria-label={t('withdrawals.bulkReport')}>
        <Table.Tbody>
          {[...failed, ...done].map((result) => (
            <Table.Tr key={result.id}>
              {cellsOf(result.id)}
              <Table.Td>
                {result.refusal ? (
                  <Text size="sm" c="var(--bad)">
                    {refusalText(t, result.refusal, { by: result.by, state: result.now })}
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

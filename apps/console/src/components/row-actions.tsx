import { ApiError } from '@krapao/ui/api/api-error.ts';
import { isDecided } from '@krapao/ui/api/decided.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { queries } from '../platform/api.ts';
import { ActionDialog, type DialogField } from './action-dialog.tsx';
import {
  BulkReport,
  type ButtonSize,
  isLost,
  type Outcome,
  type RowResult,
  refusalOfRow,
  type SelectableList,
  type Selection,
  SelectionButtons,
  useSelection,
} from './bulk.tsx';
import { useNotice } from './notice.tsx';

/** Why a row cannot take an action: an error code with its details. */
export interface RowRefusal {
  code: string;
  by?: string | undefined;
  state?: string;
}

/** An action on many rows, with one call for each. */
export interface RowAction<Row> {
  label: string;
  isDangerous?: boolean;
  fields?: readonly DialogField[];
  /** Why a row as it is shown cannot take the action; null when it can. The server decides again. */
  refusalOf?: (row: Row) => RowRefusal | null;
  /** Does it to one row and returns the row's new state. */
  perform: (row: Row, values: Record<string, string>) => Promise<string>;
}

interface RowActionsDef<Row> {
  list: SelectableList<Row>;
  canSelect: (row: Row) => boolean;
  /** The cells that name a row where results are listed. */
  nameOf: (row: Row) => ReactNode;
  actions: readonly RowAction<Row>[];
  size?: ButtonSize;
  /** The lists to read again afterwards, by the first element of their keys. */
  queryKeys: readonly string[];
}

/** Rows selected on any page, an action on each of them, and the result of each. */
export function useRowActions<Row extends { id: string }>(def: RowActionsDef<Row>) {
  const selection = useSelection(def.list, def.canSelect);
  const [step, setStep] = useState<{
    action: RowAction<Row>;
    rows: Row[];
    outcome?: Outcome<RowResult>;
  } | null>(null);
  const rows = [...selection.selected.values()];
  const close = () => {
    selection.drop(step?.outcome?.results ?? []);
    setStep(null);
  };
  const cellsOf = (id: string) => {
    const row = step?.rows.find((one) => one.id === id);
    return row && def.nameOf(row);
  };
  return {
    selection,
    bar: rows.length > 0 && (
      <Group gap="xs">
        {def.actions.map((action) => (
          <Button
            key={action.label}
            size={def.size ?? 'sm'}
            {...(action.isDangerous ? { className: 'danger' } : { variant: 'light' })}
            onClick={() => setStep({ action, rows })}
          >
            {`${action.label} (${rows.length})`}
          </Button>
        ))}
        <SelectionButtons of={selection} {...(def.size && { size: def.size })} />
      </Group>
    ),
    dialog: step?.outcome ? (
      <BulkReport of={step.outcome} cellsOf={cellsOf} stateOf={({ now }) => now ?? ''} onClose={close} />
    ) : (
      step && (
        <Question
          {...step}
          cellsOf={cellsOf}
          queryKeys={def.queryKeys}
          onDone={(outcome) => setStep({ ...step, outcome })}
          onClose={() => setStep(null)}
        />
      )
    ),
  };
}

const refused = (id: string, { code, by, state }: RowRefusal): RowResult => ({
  id,
  refusal: code,
  by: by ?? null,
  now: state ?? null,
});

const textOf = (detail: unknown): string | undefined => (typeof detail === 'string' ? detail : undefined);

/** The result of a row that the server refused. Throws what is no refusal of the row: then nothing more is sent. */
function refusedBy(id: string, error: unknown): RowResult {
  if (!(error instanceof ApiError) || !isDecided(error)) throw error;
  const { code, data } = error;
  const state = textOf(data.state);
  return refused(id, { code, by: textOf(data.by), ...(state !== undefined && { state }) });
}

interface QuestionProps<Row> {
  action: RowAction<Row>;
  rows: readonly Row[];
  cellsOf: (id: string) => ReactNode;
  queryKeys: readonly string[];
  onDone: (outcome: Outcome<RowResult>) => void;
  onClose: () => void;
}

/** Says for how many rows the action is possible, and why not for the others; then does it, row by row. */
function Question<Row extends { id: string }>(props: QuestionProps<Row>) {
  const { action, rows, cellsOf, queryKeys, onDone, onClose } = props;
  const { t } = useText();
  const notice = useNotice();
  const [done, setDone] = useState<number | null>(null);
  const isStopped = useRef(false);
  // The dialog closes in the same turn as the response, before it is rendered again.
  const outcome = useRef<Outcome<RowResult>>(null);
  const checked = rows.map((row) => ({ row, refusal: action.refusalOf?.(row) ?? null }));
  const possible = checked.flatMap(({ row, refusal }) => (refusal ? [] : [row]));
  const impossible = checked.flatMap(({ row, refusal }) => (refusal ? [refused(row.id, refusal)] : []));
  const send = async (values: Record<string, string>) => {
    const results: RowResult[] = [];
    let unknown: string[] = [];
    try {
      for (const row of possible) {
        if (isStopped.current) break;
        setDone(results.length);
        const result = await action.perform(row, values).then(
          (now): RowResult => ({ id: row.id, refusal: null, by: null, now }),
          (error: unknown) => refusedBy(row.id, error),
        );
        results.push(result);
      }
    } catch (error) {
      notice.complain(error);
      setDone(null);
      if (results.length === 0) throw error;
      if (isLost(error)) unknown = possible.slice(results.length, results.length + 1).map(({ id }) => id);
    } finally {
      for (const key of queryKeys) void queries.invalidateQueries({ queryKey: [key] });
    }
    const untried = possible.slice(results.length + unknown.length).map(({ id }) => id);
    outcome.current = { results: [...impossible, ...results], unknown, untried };
  };
  const stop = () => {
    isStopped.current = true;
    if (done === null) onClose();
  };
  const title = `${action.label} (${rows.length})`;
  return (
    <ActionDialog
      title={title}
      yes={`${action.label} (${possible.length})`}
      isDangerous={action.isDangerous ?? false}
      isDisabled={possible.length === 0}
      fields={action.fields ?? []}
      canStop
      onYes={send}
      onClose={() => (outcome.current ? onDone(outcome.current) : stop())}
    >
      <Stack gap={4}>
        {impossible.length > 0 && (
          <>
            <Text size="sm">{t('bulk.possible', { possible: possible.length, count: rows.length })}</Text>
            <Refused results={impossible} cellsOf={cellsOf} />
          </>
        )}
        <Text size="sm" c="dimmed">
          {t('bulk.hint')}
        </Text>
        {done !== null && <Running done={done} count={possible.length} onStop={stop} />}
      </Stack>
    </ActionDialog>
  );
}

function Refused({
  results,
  cellsOf,
}: {
  results: readonly RowResult[];
  cellsOf: (id: string) => ReactNode;
}) {
  const { t } = useText();
  return (
    <div style={{ maxHeight: 180, overflowY: 'auto' }}>
      <Table aria-label={t('bulk.report')}>
        <Table.Tbody>
          {results.map((result) => (
            <Table.Tr key={result.id}>
              {cellsOf(result.id)}
              <Table.Td>
                <Text size="sm">{refusalOfRow(t, result)}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Running({ done, count, onStop }: { done: number; count: number; onStop: () => void }) {
  const { t } = useText();
  const text = t('bulk.progress', { done, count });
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress.Root style={{ flex: 1 }} aria-label={text}>
        <Progress.Section value={(done / count) * 100} />
      </Progress.Root>
      <Text size="sm" role="status">
        {text}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onStop}>
        {t('bulk.stop')}
      </Button>
    </Group>
  );
}

/** Keys that select rows of a list. */
export const selectionKeys = <Row extends { id: string }>(
  selection: Selection<Row>,
  row: Row | undefined,
) => ({
  x: () => row && selection.toggle(row),
  X: selection.toggleAll,
});

import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { State } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { FOCUSED } from '../../components/focused.ts';
import { useNotice } from '../../components/notice.tsx';
import { readWithdrawalsAgain, useUndo } from '../../components/undo.ts';
import { api, type Reply } from '../../platform/api.ts';
import { refusalText } from '../../platform/error-text.ts';
import type { Steady } from '../../platform/steady-rows.ts';
import { useRejection } from './rejection.tsx';

type Row = Reply<'GET /api/operator/withdrawals'>['withdrawals'][number];
type BulkAction = 'approve' | 'reject';
type Result = Reply<'POST /api/operator/withdrawals/approve'>['results'][number];

/** How many one call takes. */
const AT_ONCE = 100;

const canPick = (row: Row): boolean => row.status === 'REVIEW' && !row.approval && !row.decision;

/** Rows picked on any page for one decision about all of them, and what became of each. */
export function useBulk(rows: readonly Steady<Row>[]) {
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(new Map());
  const [step, setStep] = useState<'pick' | BulkAction | readonly Result[]>('pick');
  const free = rows.filter(({ row, isGone }) => !isGone && canPick(row)).map(({ row }) => row);
  const isAll = free.length > 0 && free.every(({ id }) => picked.has(id));
  const set = (row: Row, isOn: boolean, next: Map<string, Row>) =>
    isOn && canPick(row) ? next.set(row.id, row) : next.delete(row.id);
  const toggle = (row: Row) =>
    setPicked((before) => {
      const next = new Map(before);
      set(row, !next.has(row.id), next);
      return next;
    });
  const toggleAll = () =>
    setPicked((before) => {
      const next = new Map(before);
      for (const row of free) set(row, !isAll, next);
      return next;
    });
  const finish = (results: readonly Result[]) => {
    setStep(results);
    void readWithdrawalsAgain();
  };
  const close = () => {
    if (typeof step === 'object') setPicked(new Map());
    setStep('pick');
  };
  return {
    picked,
    toggle,
    toggleAll,
    isAll,
    isSome: free.some(({ id }) => picked.has(id)),
    openDialog: (action: BulkAction) => picked.size > 0 && setStep(action),
    clear: () => setPicked(new Map()),
    dialog:
      step === 'approve' || step === 'reject' ? (
        <Question action={step} rows={[...picked.values()]} onDone={finish} onClose={close} />
      ) : typeof step === 'object' ? (
        <Report results={step} rows={picked} onClose={close} />
      ) : null,
  };
}

export type Bulk = ReturnType<typeof useBulk>;

/** The column of boxes. */
export function useBulkColumn(bulk: Bulk): Column<Row> {
  const { t } = useText();
  return {
    id: 'select',
    isFixed: true,
    head: (
      <Checkbox
        aria-label={t('table.selectAll')}
        checked={bulk.isAll}
        indeterminate={bulk.isSome && !bulk.isAll}
        onChange={bulk.toggleAll}
      />
    ),
    cell: (row) => (
      <Checkbox
        aria-label={t('table.select', { id: row.id })}
        checked={bulk.picked.has(row.id)}
        disabled={!canPick(row)}
        onChange={() => bulk.toggle(row)}
        onClick={(event) => event.stopPropagation()}
      />
    ),
  };
}

/** What is picked, and the ways to decide it. */
export function BulkBar({ bulk }: { bulk: Bulk }) {
  const { t } = useText();
  if (bulk.picked.size === 0) return null;
  return (
    <Group gap="xs">
      <Button rightSection={<Kbd>{'a'}</Kbd>} onClick={() => bulk.openDialog('approve')}>
        {t('withdrawals.approveMany', { count: bulk.picked.size })}
      </Button>
      <Button className="danger" rightSection={<Kbd>{'r'}</Kbd>} onClick={() => bulk.openDialog('reject')}>
        {t('withdrawals.rejectMany', { count: bulk.picked.size })}
      </Button>
      <Button variant="default" onClick={bulk.clear}>
        {t('withdrawals.pickNone')}
      </Button>
    </Group>
  );
}

const resultState = ({ approval, undoSeconds, state }: Result): string =>
  approval ? 'APPROVAL' : undoSeconds ? 'DECIDED' : (state ?? '');

function sumsOf(rows: readonly Row[]): [Currency, number][] {
  const sums = new Map<Currency, number>();
  for (const { currency, amount } of rows) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums];
}

function Question({
  action,
  rows,
  onDone,
  onClose,
}: {
  action: BulkAction;
  rows: readonly Row[];
  onDone: (results: Result[]) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const notice = useNotice();
  const rejection = useRejection();
  const sendSome = (some: string[], values: Record<string, string>) =>
    action === 'approve'
      ? api('POST /api/operator/withdrawals/approve', { body: { ids: some } })
      : api('POST /api/operator/withdrawals/reject', { body: { ids: some, ...rejection.sent(values) } });
  const send = async (values: Record<string, string>) => {
    const ids = rows.map(({ id }) => id);
    const results: Result[] = [];
    try {
      for (let at = 0; at < ids.length; at += AT_ONCE)
        results.push(...(await sendSome(ids.slice(at, at + AT_ONCE), values)).results);
    } catch (error) {
      notice.complain(error);
      // What was answered before is told all the same.
      if (results.length === 0) throw error;
    }
    return results;
  };
  // The question closes itself in the turn in which the answer came, before it is drawn again.
  const response = useRef<Result[]>(null);
  if (action === 'reject' && !rejection.isReady) return null;
  const count = { count: rows.length };
  const title =
    action === 'approve' ? t('withdrawals.approveMany', count) : t('withdrawals.rejectMany', count);
  return (
    <ActionDialog
      title={title}
      yes={title}
      isDangerous={action === 'reject'}
      fields={action === 'reject' ? rejection.fields : []}
      onYes={async (values) => {
        response.current = await send(values);
      }}
      onClose={() => (response.current ? onDone(response.current) : onClose())}
    >
      <Stack gap={4}>
        {sumsOf(rows).map(([currency, amount]) => (
          <Money key={currency} amount={amount} currency={currency} size={26} />
        ))}
        <Text size="sm" c="dimmed">
          {t('withdrawals.bulkHint')}
        </Text>
      </Stack>
    </ActionDialog>
  );
}

/** The rows whose decision can still be undone; none once the time is over. */
function useUndoable(done: readonly Result[]): readonly string[] {
  const [isOver, setOver] = useState(false);
  const seconds = Math.min(...done.flatMap(({ undoSeconds }) => undoSeconds ?? []));
  useEffect(() => {
    if (!Number.isFinite(seconds)) return;
    const timer = setTimeout(setOver, seconds * 1_000, true);
    return () => clearTimeout(timer);
  }, [seconds]);
  return isOver ? [] : done.filter(({ undoSeconds }) => undoSeconds).map(({ id }) => id);
}

/** Every row with what became of it; those that were not done come first, with the reason. */
function Report({
  results,
  rows,
  onClose,
}: {
  results: readonly Result[];
  rows: ReadonlyMap<string, Row>;
  onClose: () => void;
}) {
  const { t } = useText();
  const { undo } = useUndo();
  const failed = results.filter((result) => result.refusal !== null);
  const done = results.filter((result) => result.refusal === null);
  const undoable = useUndoable(done);
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
          {[...failed, ...done].map((result) => {
            const row = rows.get(result.id);
            return (
              <Table.Tr key={result.id}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {row?.member.name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {result.id}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{row && <Money amount={row.amount} currency={row.currency} />}</Table.Td>
                <Table.Td>
                  {result.refusal ? (
                    <Text size="sm" c="var(--bad)">
                      {refusalText(t, result.refusal, { by: result.by, state: result.now })}
                    </Text>
                  ) : (
                    <State of={resultState(result)} />
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" pt="md">
        {undoable.length > 0 && (
          <Button
            variant="default"
            onClick={() => {
              void undo(undoable);
              onClose();
            }}
          >
            {t('withdrawals.undo')}
          </Button>
        )}
        <Button onClick={onClose} {...FOCUSED}>
          {t('btn.close')}
        </Button>
      </Group>
    </Modal>
  );
}

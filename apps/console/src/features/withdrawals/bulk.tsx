import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Kbd, Stack, Table, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import {
  BulkReport,
  NameCell,
  type Outcome,
  type SelectableList,
  SelectionButtons,
  sendInCalls,
  useSelection,
} from '../../components/bulk.tsx';
import { useNotice } from '../../components/notice.tsx';
import { readWithdrawalsAgain, useUndo } from '../../components/undo.ts';
import { api, type Reply } from '../../platform/api.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { useRejection } from './rejection.tsx';

type Row = Reply<'GET /api/operator/withdrawals'>['withdrawals'][number];
type BulkAction = 'approve' | 'reject';
type Result = Reply<'POST /api/operator/withdrawals/approve'>['results'][number];

const canSelect = (row: Row): boolean => row.status === 'REVIEW' && !row.approval && !row.decision;

/** Rows selected on any page for one decision about all of them, and the result of each. */
export function useBulk(list: SelectableList<Row>) {
  const selection = useSelection(list, canSelect);
  const { selected, drop } = selection;
  const [step, setStep] = useState<{ action: BulkAction; rows: Row[]; outcome?: Outcome<Result> } | null>(
    null,
  );
  const close = () => {
    drop(step?.outcome?.results ?? []);
    setStep(null);
  };
  return {
    ...selection,
    openDialog: (action: BulkAction) =>
      selected.size > 0 && setStep({ action, rows: [...selected.values()] }),
    dialog: step?.outcome ? (
      <Report outcome={step.outcome} rows={step.rows} onClose={close} />
    ) : (
      step && <Question {...step} onDone={(outcome) => setStep({ ...step, outcome })} onClose={close} />
    ),
  };
}

export type Bulk = ReturnType<typeof useBulk>;

/** The ways to decide what is selected. */
export function BulkBar({ bulk }: { bulk: Bulk }) {
  const { t } = useText();
  return (
    <Group gap="xs">
      <Button rightSection={<Kbd>{'a'}</Kbd>} onClick={() => bulk.openDialog('approve')}>
        {t('withdrawals.approveMany', { count: bulk.selected.size })}
      </Button>
      <Button className="danger" rightSection={<Kbd>{'r'}</Kbd>} onClick={() => bulk.openDialog('reject')}>
        {t('withdrawals.rejectMany', { count: bulk.selected.size })}
      </Button>
      <SelectionButtons of={bulk} />
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
  onDone: (outcome: Outcome<Result>) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const notice = useNotice();
  const rejection = useRejection();
  const sendSome = (some: string[], values: Record<string, string>) =>
    action === 'approve'
      ? api('POST /api/operator/withdrawals/approve', { body: { ids: some } })
      : api('POST /api/operator/withdrawals/reject', { body: { ids: some, ...rejection.sent(values) } });
  // The dialog closes in the same turn as the response, before it is rendered again.
  const response = useRef<Outcome<Result>>(null);
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
        const all = rows.map(({ id }) => id);
        const send = (ids: string[]) => sendSome(ids, values);
        response.current = await sendInCalls(all, send, notice.complain).finally(
          () => void readWithdrawalsAgain(),
        );
      }}
      onClose={() => (response.current ? onDone(response.current) : onClose())}
    >
      <Stack gap={4}>
        {sumsOf(rows).map(([currency, amount]) => (
          <Money key={currency} amount={amount} currency={currency} size={26} />
        ))}
        <Text size="sm" c="dimmed">
          {t('bulk.hint')}
        </Text>
      </Stack>
    </ActionDialog>
  );
}

/** The rows whose decision can still be undone, the earliest decided first; none once the time is over. */
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

interface ReportProps {
  outcome: Outcome<Result>;
  rows: readonly Row[];
  onClose: () => void;
}

function Report({ outcome, rows, onClose }: ReportProps) {
  const { t } = useText();
  const { undo } = useUndo();
  const { isBusy, run } = useSingleCall();
  const undoable = useUndoable(outcome.results);
  // Once some could not be undone, the report names them.
  const [undone, setUndone] = useState<Outcome<Result> | null>(null);
  const undoAll = async () => {
    const result = await undo(undoable);
    if (result?.results.filter(({ refusal }) => refusal === null).length === undoable.length) onClose();
    else setUndone(result);
  };
  const cellsOf = (id: string) => {
    const row = rows.find((one) => one.id === id);
    return (
      <>
        <NameCell title={row?.member.name} below={id} />
        <Table.Td ta="right">{row && <Money amount={row.amount} currency={row.currency} />}</Table.Td>
      </>
    );
  };
  if (undone)
    return (
      <BulkReport
        of={undone}
        title={(counts) => `${t('withdrawals.undo')} · ${t('bulk.result', counts)}`}
        untriedText={t('withdrawals.notUndone')}
        cellsOf={cellsOf}
        stateOf={resultState}
        onClose={onClose}
      />
    );
  return (
    <BulkReport of={outcome} cellsOf={cellsOf} stateOf={resultState} isBusy={isBusy} onClose={onClose}>
      {(isBusy || undoable.length > 0) && (
        <Button variant="default" loading={isBusy} onClick={() => run(undoAll)}>
          {t('withdrawals.undo')}
        </Button>
      )}
    </BulkReport>
  );
}

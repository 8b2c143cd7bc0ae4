import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { State } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { FOCUSED } from '../../components/focused.ts';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf, refusalText } from '../../platform/error-text.ts';
import type { Steady } from '../../platform/steady-rows.ts';

type Row = Reply<'GET /api/operator/approvals'>['approvals'][number];
type Results = Reply<'POST /api/operator/approvals/approve'>['results'];
type Action = 'approve' | 'refuse';

/** How many one call takes. */
const AT_ONCE = 100;

/** Requests picked on any page for one decision about all of them, and what became of each. */
export function usePicked(rows: readonly Steady<Row>[]) {
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(new Map());
  const [step, setStep] = useState<'pick' | Action | Results>('pick');
  const free = rows.filter(({ row, isGone }) => !isGone && row.mayCheck).map(({ row }) => row);
  const isAll = free.length > 0 && free.every(({ id }) => picked.has(id));
  const change = (some: readonly Row[], isOn: (row: Row) => boolean) =>
    setPicked((before) => {
      const next = new Map(before);
      for (const row of some) {
        if (isOn(row) && row.mayCheck) next.set(row.id, row);
        else next.delete(row.id);
      }
      return next;
    });
  const close = () => {
    if (typeof step === 'object') setPicked(new Map());
    setStep('pick');
  };
  return {
    picked,
    isAll,
    isSome: free.some(({ id }) => picked.has(id)),
    toggle: (row: Row) => change([row], ({ id }) => !picked.has(id)),
    toggleAll: () => change(free, () => !isAll),
    openDialog: (action: Action) => picked.size > 0 && setStep(action),
    clear: () => setPicked(new Map()),
    dialog:
      step === 'approve' || step === 'refuse' ? (
        <Question action={step} rows={[...picked.values()]} onDone={setStep} onClose={close} />
      ) : typeof step === 'object' ? (
        <Report results={step} rows={picked} onClose={close} />
      ) : null,
  };
}

export type Picked = ReturnType<typeof usePicked>;

/** The column of boxes. */
export function usePickColumn(bulk: Picked): Column<Row> {
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
        disabled={!row.mayCheck}
        onChange={() => bulk.toggle(row)}
        onClick={(event) => event.stopPropagation()}
      />
    ),
  };
}

/** What is picked, and the ways to decide it. */
export function PickedBar({ bulk }: { bulk: Picked }) {
  const { t } = useText();
  const count = { count: bulk.picked.size };
  if (count.count === 0) return null;
  return (
    <Group gap="xs">
      <Button onClick={() => bulk.openDialog('approve')}>{t('approval.approveMany', count)}</Button>
      <Button className="danger" onClick={() => bulk.openDialog('refuse')}>
        {t('approval.refuseMany', count)}
      </Button>
      <Button variant="default" onClick={bulk.clear}>
        {t('withdrawals.pickNone')}
      </Button>
    </Group>
  );
}

interface QuestionProps {
  action: Action;
  rows: readonly Row[];
  onDone: (results: Results) => void;
  onClose: () => void;
}

function Question({ action, rows, onDone, onClose }: QuestionProps) {
  const { t } = useText();
  const notice = useNotice();
  const count = { count: rows.length };
  const title = action === 'approve' ? t('approval.approveMany', count) : t('approval.refuseMany', count);
  // The question closes itself in the turn in which the answer came, before it is drawn again.
  const response = useRef<Results>(null);
  const send = async ({ note = '' }: Record<string, string>) => {
    const found: Results[number][] = [];
    try {
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const ids = rows.slice(at, at + AT_ONCE).map(({ id }) => id);
        const reply =
          action === 'approve'
            ? await api('POST /api/operator/approvals/approve', { body: { ids } })
            : await api('POST /api/operator/approvals/refuse', { body: { ids, note: note.trim() } });
        found.push(...reply.results);
      }
    } catch (error) {
      notice.complain(error);
      // What was answered before is told all the same.
      if (found.length === 0) throw error;
    } finally {
      void queries.invalidateQueries();
    }
    response.current = found;
  };
  return (
    <ActionDialog
      title={title}
      yes={title}
      isDangerous={action === 'refuse'}
      fields={action === 'refuse' ? [{ name: 'note', label: t('field.note'), rows: 2, least: 3 }] : []}
      onYes={send}
      onClose={() => (response.current ? onDone(response.current) : onClose())}
    >
      <Stack gap={2}>
        {[...Map.groupBy(rows, ({ action: kind }) => kind)].map(([kind, some]) => (
          <Text key={kind} size="sm">{`${labelOf(t, 'action', kind)} · ${some.length}`}</Text>
        ))}
        <Text size="sm" c="dimmed">
          {t('withdrawals.bulkHint')}
        </Text>
      </Stack>
    </ActionDialog>
  );
}

interface ReportProps {
  results: Results;
  rows: ReadonlyMap<string, Row>;
  onClose: () => void;
}

/** Every request with what became of it; those that were not decided come first, with the reason. */
function Report({ results, rows, onClose }: ReportProps) {
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
          {[...failed, ...done].map(({ id, refusal, by, now, state }) => {
            const row = rows.get(id);
            return (
              <Table.Tr key={id}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {row && labelOf(t, 'action', row.action)}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {row?.subject}
                  </Text>
                </Table.Td>
                <Table.Td>
                  {refusal ? (
                    <Text size="sm" c="var(--bad)">
                      {refusalText(t, refusal, { by, state: now })}
                    </Text>
                  ) : (
                    <State of={state === 'REFUSED' ? 'REFUSED' : 'APPROVED'} />
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" pt="md">
        <Button onClick={onClose} {...FOCUSED}>
          {t('btn.close')}
        </Button>
      </Group>
    </Modal>
  );
}

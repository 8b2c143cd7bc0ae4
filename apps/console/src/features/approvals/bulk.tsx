import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
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
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';

type Row = Reply<'GET /api/operator/approvals'>['approvals'][number];
type Result = Reply<'POST /api/operator/approvals/approve'>['results'][number];
type Action = 'approve' | 'refuse';

/** Requests selected on any page for one decision about all of them, and the result of each. */
export function useBulk(list: SelectableList<Row>) {
  const selection = useSelection(list, ({ mayCheck }) => mayCheck);
  const { selected, drop } = selection;
  const [step, setStep] = useState<{ action: Action; rows: Row[]; outcome?: Outcome<Result> } | null>(null);
  const close = () => {
    drop(step?.outcome?.results ?? []);
    setStep(null);
  };
  return {
    ...selection,
    openDialog: (action: Action) => selected.size > 0 && setStep({ action, rows: [...selected.values()] }),
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
  const count = { count: bulk.selected.size };
  return (
    <Group gap="xs">
      <Button onClick={() => bulk.openDialog('approve')}>{t('approval.approveMany', count)}</Button>
      <Button className="danger" onClick={() => bulk.openDialog('refuse')}>
        {t('approval.refuseMany', count)}
      </Button>
      <SelectionButtons of={bulk} />
    </Group>
  );
}

interface QuestionProps {
  action: Action;
  rows: readonly Row[];
  onDone: (outcome: Outcome<Result>) => void;
  onClose: () => void;
}

function Question({ action, rows, onDone, onClose }: QuestionProps) {
  const { t } = useText();
  const notice = useNotice();
  const count = { count: rows.length };
  const title = action === 'approve' ? t('approval.approveMany', count) : t('approval.refuseMany', count);
  // The dialog closes in the same turn as the response, before it is rendered again.
  const response = useRef<Outcome<Result>>(null);
  const call = (ids: string[], note: string) =>
    action === 'approve'
      ? api('POST /api/operator/approvals/approve', { body: { ids } })
      : api('POST /api/operator/approvals/refuse', { body: { ids, note: note.trim() } });
  const send = async ({ note = '' }: Record<string, string>) => {
    const all = rows.map(({ id }) => id);
    response.current = await sendInCalls(all, (ids) => call(ids, note), notice.complain).finally(
      () => void queries.invalidateQueries(),
    );
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
          {t('bulk.hint')}
        </Text>
      </Stack>
    </ActionDialog>
  );
}

interface ReportProps {
  outcome: Outcome<Result>;
  rows: readonly Row[];
  onClose: () => void;
}

function Report({ outcome, rows, onClose }: ReportProps) {
  const { t } = useText();
  return (
    <BulkReport
      of={outcome}
      cellsOf={(id) => {
        const row = rows.find((one) => one.id === id);
        return <NameCell title={row && labelOf(t, 'action', row.action)} below={row?.subject} />;
      }}
      stateOf={({ state }) => (state === 'REFUSED' ? 'REFUSED' : 'APPROVED')}
      onClose={onClose}
    />
  );
}

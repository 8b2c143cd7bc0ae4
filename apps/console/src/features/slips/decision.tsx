import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import type { RowAction } from '../../components/row-actions.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { useNewest } from '../../platform/newest.ts';

type SlipRow = Reply<'GET /api/operator/slips'>['slips'][number];
type Row = Pick<SlipRow, 'id' | 'assignment' | 'member'>;
type Action = 'accept' | 'refuse' | 'ask';

export type SlipDecision = ReturnType<typeof useSlipDecision>;

/** The reasons an operator may give; those that only a machine finds are left out. */
const CODES = [
  'INVALID_SLIP',
  'DUPLICATE_REFERENCE',
  'INVALID_DESTINATION_ACCOUNT',
  'ACCOUNT_NOT_MATCH',
  'SLIP_EXPIRED',
  'CROPPED_IMAGE_UNREADABLE',
  'IMAGE_UNPROCESSABLE',
  'UNKNOWN_ERROR',
] as const;

const readAgain = () =>
  Promise.all(['slips', 'slip', 'today'].map((key) => queries.invalidateQueries({ queryKey: [key] })));

/** The fields of a refusal: the code reported to the member, and the operators' reason. */
function useRefusalFields(): DialogField[] {
  const { t } = useText();
  return [
    {
      name: 'code',
      label: t('slips.code'),
      value: 'INVALID_SLIP',
      options: CODES.map((value) => ({ value, label: labelOf(t, 'note', value) })),
    },
    { name: 'reason', label: t('field.reason'), rows: 2, least: 3 },
  ];
}

const assign = (id: string) => api('POST /api/operator/slips/{id}/claim', { params: { id } });

function refuseSlip(id: string, values: Record<string, string>) {
  const code = values.code as (typeof CODES)[number];
  const body = { code, reason: values.reason ?? '' };
  return api('POST /api/operator/slips/{id}/refuse', { params: { id }, body });
}

/** The actions on many slips: each is assigned to the operator and refused. */
export function useSlipRowActions(): RowAction<SlipRow>[] {
  const { t } = useText();
  return [
    {
      label: t('slips.refuse'),
      isDangerous: true,
      fields: useRefusalFields(),
      refusalOf: ({ status, assignment }) => {
        if (status !== 'REVIEW') return { code: 'ROW_CHANGED', state: status };
        return assignment && !assignment.mine ? { code: 'CLAIMED', by: assignment.by } : null;
      },
      perform: async ({ id, assignment }, values) => {
        if (!assignment?.mine) await assign(id);
        return (await refuseSlip(id, values)).state;
      },
    },
  ];
}

function Question({ row, action, onClose }: { row: Row; action: Action; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const params = { id: row.id };
  const send = async (values: Record<string, string>) => {
    const reason = values.reason ?? '';
    try {
      if (action === 'accept') {
        const { state } = await api('POST /api/operator/slips/{id}/accept', { params, body: { reason } });
        notice.say(state === 'SUCCESS' ? t('slips.accepted') : t('slips.duplicate'));
      } else if (action === 'refuse') {
        await refuseSlip(row.id, values);
        notice.say(t('slips.done'));
      } else {
        await api('POST /api/operator/slips/{id}/ask', { params, body: { reason } });
        notice.say(t('slips.done'));
      }
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
  const titles = { accept: t('slips.accept'), refuse: t('slips.refuse'), ask: t('slips.check') };
  const fields = useRefusalFields();
  return (
    <ActionDialog
      title={`${titles[action]} · ${row.member.name}`}
      yes={titles[action]}
      isDangerous={action === 'refuse'}
      fields={action === 'refuse' ? fields : fields.slice(1)}
      onYes={send}
      onClose={onClose}
    >
      <Text size="sm">{row.id}</Text>
    </ActionDialog>
  );
}

/** Takes the slip first; the assigned operator may decide it. */
export function useSlipDecision() {
  const notice = useNotice();
  const [pending, setDialog] = useState<{ row: Row; action: Action } | null>(null);
  const begin = useNewest();
  const openDialog = async (row: Row, action: Action) => {
    const isNewest = begin();
    try {
      if (!row.assignment?.mine) await assign(row.id);
      if (isNewest()) setDialog({ row, action });
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  return {
    openDialog,
    dialog: pending && (
      <Question key={`${pending.action} ${pending.row.id}`} {...pending} onClose={() => setDialog(null)} />
    ),
  };
}

import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';

type Row = Pick<Reply<'GET /api/operator/slips'>['slips'][number], 'id' | 'assignment' | 'member'>;
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
        const code = values.code as (typeof CODES)[number];
        await api('POST /api/operator/slips/{id}/refuse', { params, body: { code, reason } });
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
  const code = {
    name: 'code',
    label: t('slips.code'),
    value: 'INVALID_SLIP',
    options: CODES.map((value) => ({ value, label: labelOf(t, 'note', value) })),
  };
  const reason = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  return (
    <ActionDialog
      title={`${titles[action]} · ${row.member.name}`}
      yes={titles[action]}
      isDangerous={action === 'refuse'}
      fields={action === 'refuse' ? [code, reason] : [reason]}
      onYes={send}
      onClose={onClose}
    />
  );
}

/** Takes the slip first; the assigned operator may decide it. */
export function useSlipDecision() {
  const notice = useNotice();
  const [pending, setDialog] = useState<{ row: Row; action: Action } | null>(null);
  const openDialog = async (row: Row, action: Action) => {
    try {
      if (!row.assignment?.mine) await api('POST /api/operator/slips/{id}/claim', { params: { id: row.id } });
      setDialog({ row, action });
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  return { openDialog, dialog: pending && <Question {...pending} onClose={() => setDialog(null)} /> };
}

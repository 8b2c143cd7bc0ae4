import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { readWithdrawalsAgain, useUndo } from '../../components/undo.ts';
import { api, type Reply } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { useNewest } from '../../platform/newest.ts';
import { useReasons, useRejection } from './rejection.tsx';

type Row = Reply<'GET /api/operator/withdrawals'>['withdrawals'][number];
export type Action = 'approve' | 'reject' | 'paid';

export type Decision = ReturnType<typeof useDecision>;

interface Queue {
  /** Shows the row that waits next after one that was decided. */
  advance: (from: Row) => void;
  /** Shows a row whose decision was undone. */
  open: (row: Row) => void;
}

/** Assigns a row to the caller before it is decided; the second operator is refused at once. */
export function useDecision(queue: Queue) {
  const { t } = useText();
  const notice = useNotice();
  const [pending, setDialog] = useState<{ row: Row; action: Action } | null>(null);
  const begin = useNewest();
  // Loaded before the first rejection dialog.
  useReasons();

  const take = async (row: Row): Promise<boolean> => {
    try {
      await api('POST /api/operator/withdrawals/{id}/claim', { params: { id: row.id } });
      return true;
    } catch (error) {
      notice.complain(error);
      return false;
    } finally {
      void readWithdrawalsAgain();
    }
  };
  const openDialog = async (row: Row, action: Action) => {
    const isNewest = begin();
    if ((row.assignment?.mine || (await take(row))) && isNewest()) setDialog({ row, action });
  };
  const release = async (row: Row) => {
    await api('POST /api/operator/withdrawals/{id}/release', { params: { id: row.id } }).catch(
      notice.complain,
    );
    void readWithdrawalsAgain();
  };
  const retry = async (row: Row) => {
    try {
      await api('POST /api/operator/withdrawals/{id}/retry', {
        params: { id: row.id },
        body: { status: row.status },
      });
      notice.say(t('withdrawals.checked'));
    } catch (error) {
      notice.complain(error);
    }
  };
  const dialog = pending && (
    <Question
      key={`${pending.action} ${pending.row.id}`}
      {...pending}
      queue={queue}
      onClose={() => setDialog(null)}
    />
  );
  return { take, openDialog, release, retry, dialog };
}

/** The bank that the last manual payment in a currency came from: never one of another currency. */
const lastPaidFrom = new Map<Row['currency'], string>();
const bankCodeOf = ({ bankCode = '' }: Record<string, string>): string => bankCode.trim().toUpperCase();

function useSend(row: Row, action: Action, { advance, open }: Queue) {
  const { t } = useText();
  const notice = useNotice();
  const { offer } = useUndo();
  const { sent } = useRejection();
  const params = { id: row.id };
  return async (values: Record<string, string>) => {
    const { status } = row;
    try {
      const reason = values.reason?.trim() ?? '';
      const given = { status, ...(reason ? { reason } : {}) };
      const response =
        action === 'approve'
          ? await api('POST /api/operator/withdrawals/{id}/approve', { params, body: given })
          : action === 'reject'
            ? await api('POST /api/operator/withdrawals/{id}/reject', {
                params,
                body: { status, ...sent(values) },
              })
            : await api('POST /api/operator/withdrawals/{id}/paid', {
                params,
                body: {
                  ...given,
                  proof: values.proof ?? '',
                  bankCode: bankCodeOf(values),
                },
              });
      if (action === 'paid') lastPaidFrom.set(row.currency, bankCodeOf(values));
      const seconds = response.undoSeconds;
      if (seconds && action !== 'paid')
        offer(t(action === 'approve' ? 'withdrawals.decided-APPROVE' : 'withdrawals.decided-REJECT'), {
          ids: [row.id],
          seconds,
          onUndone: () => open(row),
        });
      else notice.say(response.approval ? t('approval.requested') : t(`withdrawals.done-${action}` as never));
      advance(row);
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readWithdrawalsAgain();
    }
  };
}

interface QuestionProps {
  row: Row;
  action: Action;
  queue: Queue;
  onClose: () => void;
}

function Question({ row, action, queue, onClose }: QuestionProps) {
  const { t, language } = useText();
  const send = useSend(row, action, queue);
  const rejection = useRejection();
  const detail = useQuery({
    queryKey: ['withdrawal', row.id],
    queryFn: () => api('GET /api/operator/withdrawals/{id}', { params: { id: row.id } }),
  });
  const reason = { name: 'reason', label: t('field.reason'), rows: 2 };
  const fields =
    action === 'approve'
      ? []
      : action === 'reject'
        ? rejection.fields
        : [
            { name: 'proof', label: t('field.proof'), least: 3 },
            {
              name: 'bankCode',
              label: t('field.paidFrom'),
              least: 2,
              value: lastPaidFrom.get(row.currency) ?? '',
            },
            reason,
          ];
  if (action === 'reject' && !rejection.isReady) return null;
  const needsTwo = action === 'approve' && detail.data?.needsChecker === true;
  const titles = {
    approve: t('withdrawals.approve'),
    reject: t('withdrawals.reject'),
    paid: t('withdrawals.paid'),
  };
  return (
    <ActionDialog
      title={titles[action]}
      yes={needsTwo ? t('withdrawals.sendToChecker') : titles[action]}
      isDangerous={action === 'reject'}
      fields={fields}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={row.amount} currency={row.currency} size={26} />
        <Text size="sm">{`${row.member.name} · ${bankName(row.account, language)} ${row.account.accountNo}`}</Text>
        {needsTwo && (
          <Text size="sm" c="var(--warn)">
            {t('withdrawals.needsTwo')}
          </Text>
        )}
      </Stack>
    </ActionDialog>
  );
}

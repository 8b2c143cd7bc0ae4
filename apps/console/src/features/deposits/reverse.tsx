import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import type { Column } from '../../components/column.ts';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';

type Row = Reply<'GET /api/operator/deposits'>['deposits'][number];

function Question({ row, onClose }: { row: Row; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async ({ reason = '' }: Record<string, string>) => {
    try {
      const response = await api('POST /api/operator/deposits/{id}/reverse', {
        params: { id: row.id },
        body: { reason: reason.trim() },
      });
      notice.say(response.approval ? t('approval.requested') : t('deposits.reversed'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['deposits'] });
    }
  };
  return (
    <ActionDialog
      title={t('deposits.reverse')}
      yes={t('withdrawals.sendToChecker')}
      isDangerous
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={row.amount} currency={row.currency} size={26} />
        <Text size="sm">
          {[row.member.name, row.bankCode && labelOf(t, 'type', row.bankCode), row.bankReference].join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('deposits.reverseNote')}
        </Text>
        {row.run !== null && (
          <Alert color="var(--warning)" variant="outline" p="xs" mt="xs">
            {t('deposits.reverseRun', { run: row.run })}
          </Alert>
        )}
      </Stack>
    </ActionDialog>
  );
}

/** Taking a deposit back: the button of each row, and its question. */
export function useReversal(): { column: Column<Row>; dialog: false | React.ReactNode } {
  const { t } = useText();
  const canReverse = may(useMe(), 'deposit.reverse');
  const [pending, setDialog] = useState<Row | null>(null);
  const column: Column<Row> = {
    id: 'actions',
    head: '',
    cell: (row) =>
      canReverse &&
      !row.reversedAt &&
      !row.approval && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={(event) => {
            event.stopPropagation();
            setDialog(row);
          }}
        >
          {t('deposits.reverse')}
        </Button>
      ),
  };
  return { column, dialog: pending !== null && <Question row={pending} onClose={() => setDialog(null)} /> };
}

import { Money } from '@krapao/ui/components/money.tsx';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Age, MemberLink, State } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useCursorList } from '../../platform/use-list.ts';

type Row = Reply<'GET /api/operator/gifts'>['gifts'][number];

const AGAIN_MS = 15_000;
const readAgain = () => queries.invalidateQueries({ queryKey: ['deposits'] });

function Settle({ row, onClose }: { row: Row; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async ({ outcome, received = '', evidence = '' }: Record<string, string>) => {
    const body = {
      evidence: evidence.trim(),
      ...(outcome === 'DONE' ? { received: parseAmount(received, 'BAHT') ?? 0 } : {}),
    };
    try {
      const response = await api('POST /api/operator/gifts/{id}/settle', { params: { id: row.id }, body });
      notice.say(response.approval ? t('approval.requested') : t('transfers.settled'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
  return (
    <ActionDialog
      title={t('gifts.settle')}
      yes={t('withdrawals.sendToChecker')}
      fields={[
        {
          name: 'outcome',
          label: t('gifts.outcome'),
          value: 'FAILED',
          options: [
            { value: 'DONE', label: t('gifts.came') },
            { value: 'FAILED', label: t('gifts.nothing') },
          ],
        },
        {
          name: 'received',
          label: t('gifts.received'),
          value: String(row.expected),
          figure: { decimals: 2, currency: 'BAHT' },
        },
        { name: 'evidence', label: t('gifts.evidence'), rows: 2, least: 3 },
      ]}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={row.expected} currency="BAHT" size={26} />
        <Text size="sm">{[row.member.name, row.code, row.id].join(' · ')}</Text>
      </Stack>
    </ActionDialog>
  );
}

function useColumns(openDialog: (row: Row) => void, onSettle: (row: Row) => void): Column<Row>[] {
  const { t } = useText();
  const canSettle = may(useMe(), 'transfer.settle');
  return [
    { id: 'age', head: t('col.age'), cell: (row) => <Age since={row.createdAt} /> },
    { id: 'id', head: t('col.reference'), cell: (row) => <Text size="sm">{`${row.id} ${row.code}`}</Text> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.expected} currency="BAHT" />,
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <State of={row.approval ? 'APPROVAL' : row.state} />,
    },
    {
      id: 'actions',
      head: '',
      cell: (row) =>
        canSettle &&
        !row.approval && (
          <Group gap={6} wrap="nowrap">
            <Button size="compact-sm" onClick={() => openDialog(row)}>
              {t('gifts.check')}
            </Button>
            {row.state === 'UNKNOWN' && (
              <Button size="compact-sm" variant="default" onClick={() => onSettle(row)}>
                {t('gifts.settle')}
              </Button>
            )}
          </Group>
        ),
    },
  ];
}

/** Gifts whose answer was lost, above the deposits while there are any. */
export function LostGifts() {
  const { t } = useText();
  const notice = useNotice();
  const [dialog, setDialog] = useState<Row | null>(null);
  const list = useCursorList({
    queryKey: ['deposits', 'gifts'],
    read: (paging) => api('GET /api/operator/gifts', { query: paging }),
    rowsOf: (reply) => reply.gifts,
    refetchInterval: AGAIN_MS,
  });
  const checkService = async (row: Row) => {
    try {
      await api('POST /api/operator/gifts/{id}/ask', { params: { id: row.id } });
      notice.say(t('gifts.checked'));
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  const columns = useColumns((row) => void checkService(row), setDialog);
  if (!list.total) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('gifts.title')}
      </Title>
      <DataTable name={t('gifts.title')} columns={columns} {...list} />
      {dialog && <Settle row={dialog} onClose={() => setDialog(null)} />}
    </Stack>
  );
}

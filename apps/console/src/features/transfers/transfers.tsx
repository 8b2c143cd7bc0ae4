import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { MemberLink, State, Waiting } from '../../components/cells.tsx';
import type { ChoicesDef } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { useList } from '../../platform/use-list.ts';

type Row = Reply<'GET /api/operator/transfers'>['transfers'][number];

const STATES = ['OPEN', 'UNKNOWN', 'RESERVED', 'DONE', 'FAILED'] as const;
const readAgain = () => queries.invalidateQueries({ queryKey: ['transfers'] });

function Settle({ row, onClose }: { row: Row; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async (values: Record<string, string>) => {
    const body = { outcome: values.outcome as 'DONE' | 'FAILED', evidence: values.evidence?.trim() ?? '' };
    try {
      const response = await api('POST /api/operator/transfers/{id}/settle', {
        params: { id: row.id },
        body,
      });
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
      title={t('transfers.settle')}
      yes={t('withdrawals.sendToChecker')}
      fields={[
        {
          name: 'outcome',
          label: t('transfers.outcome'),
          value: 'FAILED',
          options: (['DONE', 'FAILED'] as const).map((value) => ({ value, label: t(`state.${value}`) })),
        },
        { name: 'evidence', label: t('field.evidence'), rows: 2, least: 3 },
      ]}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={row.amount} currency={row.currency} size={26} />
        <Text size="sm">{[row.member.name, row.gameName, row.id].join(' · ')}</Text>
      </Stack>
    </ActionDialog>
  );
}

function useColumns(
  isOpen: (row: Row) => boolean,
  openDialog: (row: Row) => Promise<void>,
  onSettle: (row: Row) => void,
): Column<Row>[] {
  const { t } = useText();
  return [
    {
      id: 'age',
      sort: 'createdAt',
      head: t('col.age'),
      cell: (row) => (
        <Waiting since={row.createdAt} isWaiting={row.state === 'RESERVED' || row.state === 'UNKNOWN'} />
      ),
    },
    { id: 'id', head: t('col.reference'), cell: (row) => <Text size="sm">{row.id}</Text> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'way',
      head: t('col.game'),
      cell: (row) => (
        <Text size="sm">
          {row.direction === 'IN'
            ? t('transfers.in', { game: row.gameName })
            : t('transfers.out', { game: row.gameName })}
        </Text>
      ),
    },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
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
        isOpen(row) && (
          <Group gap={6} wrap="nowrap">
            <Button size="compact-sm" onClick={() => void openDialog(row)}>
              {t('transfers.check')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onSettle(row)}>
              {t('transfers.settle')}
            </Button>
          </Group>
        ),
    },
  ];
}

/** The filter by game; without the permission for the list of games, by those of the rows that are shown. */
function useGameChoices(rows: readonly Pick<Row, 'game' | 'gameName'>[]): ChoicesDef {
  const { t } = useText();
  const canRead = may(useMe(), 'setting.read');
  const games = useQuery({
    enabled: canRead,
    queryKey: ['games'],
    queryFn: () => api('GET /api/operator/games'),
  });
  const names = new Map(
    canRead
      ? games.data?.games.map(({ code, name }) => [code, name])
      : rows.map(({ game, gameName }) => [game, gameName]),
  );
  return {
    name: 'game',
    label: t('col.game'),
    options: [...names].map(([value, label]) => ({ value, label })),
  };
}

/** Money on its way to or from a provider. */
export function TransfersPage() {
  const { t } = useText();
  const notice = useNotice();
  const canSettle = may(useMe(), 'transfer.settle');
  const [dialog, setDialog] = useState<Row | null>(null);
  const list = useList({
    ...LIST_CALLS.transfers,
    rowsOf: (reply) => reply.transfers,
    pageName: 'transfers',
    refetchInterval: 15_000,
  });
  const gameChoices = useGameChoices(list.rows.map(({ row }) => row));
  const isUnknown = (row: Row) => canSettle && row.state === 'UNKNOWN' && !row.approval;
  const checkProvider = async (row: Row) => {
    try {
      await api('POST /api/operator/transfers/{id}/ask', { params: { id: row.id } });
      notice.say(t('transfers.checked'));
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  return (
    <ListPage
      list={list}
      pageName="transfers"
      order="-createdAt"
      title={t('nav.transfers')}
      empty={t('empty.transfers')}
      columns={useColumns(isUnknown, checkProvider, setDialog)}
      onEnter={(row) => isUnknown(row) && setDialog(row)}
      filters={
        <>
          <TextFilter />
          <DaysFilter />
        </>
      }
      choices={[
        {
          name: 'state',
          label: t('col.state'),
          options: STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        },
        gameChoices,
      ]}
    >
      {dialog && <Settle row={dialog} onClose={() => setDialog(null)} />}
    </ListPage>
  );
}

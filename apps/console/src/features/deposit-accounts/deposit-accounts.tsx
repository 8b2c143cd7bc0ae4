import { Money } from '@krapao/ui/components/money.tsx';
import { accountText } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { BankMark, Tag } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icons.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageDialog } from '../../platform/address.ts';
import { api, queries } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { still } from '../../platform/use-list.ts';
import { AddChannel, ChangeChannel } from './questions.tsx';
import type { Channel } from './types.ts';

type DialogState = { action: 'add' | 'change'; row: Channel | null };

/** The account as members are shown it. */
function Shown({ of: row }: { of: Channel }) {
  const { language } = useText();
  const bank = bankName(row, language);
  return (
    <Group gap={8} wrap="nowrap">
      <BankMark code={row.bankCode} color={row.bankColor} />
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {row.accountNo === '' ? bank : accountText(row.accountNo, row.bankCode)}
        </Text>
        <Text size="xs" c="dimmed">
          {`${bank} · ${row.accountName}`}
        </Text>
      </Stack>
    </Group>
  );
}

const TONE = { OPEN: 'ok', PAUSED: 'warn', CLOSED: 'ink-2', FULL: 'warn' } as const;

/** Whether members are shown it. */
function Standing({ of: row }: { of: Channel }) {
  const { t } = useText();
  const state = row.state === 'OPEN' && row.isFull ? 'FULL' : row.state;
  return <Tag tone={TONE[state]}>{t(`channel.is-${state}`)}</Tag>;
}

function useMove(rows: readonly Channel[]) {
  const notice = useNotice();
  const { t } = useText();
  return async (row: Channel, by: number) => {
    const ids = rows.map(({ id }) => id);
    const body = { ids: movedBy(ids, row.id, by) };
    await api('POST /api/operator/deposit-account-order', { body }).then(
      () => notice.say(t('channel.ordered')),
      notice.complain,
    );
    await queries.invalidateQueries({ queryKey: ['channels'] });
  };
}

function Actions({
  row,
  rows,
  openDialog,
}: {
  row: Channel;
  rows: readonly Channel[];
  openDialog: (dialog: DialogState) => void;
}) {
  const { t } = useText();
  const move = useMove(rows);
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <MoveButtons
        name={`${labelOf(t, 'type', row.bankCode)} ${row.accountNo}`}
        isFirst={rows[0]?.id === row.id}
        isLast={rows.at(-1)?.id === row.id}
        onMove={(by) => move(row, by)}
      />
      <Button size="compact-sm" variant="default" onClick={() => openDialog({ action: 'change', row })}>
        {t('content.change')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={row.accountNo === ''}
        onClick={() => openDialog({ action: 'add', row })}
      >
        {t('channel.replace')}
      </Button>
    </Group>
  );
}

function useColumns(rows: readonly Channel[], openDialog: (dialog: DialogState) => void): Column<Channel>[] {
  const { t } = useText();
  const canManage = may(useMe(), 'channel.manage');
  return [
    { id: 'account', head: t('col.account'), cell: (row) => <Shown of={row} /> },
    {
      id: 'mode',
      head: t('channel.mode'),
      cell: (row) => <Text size="sm">{labelOf(t, 'channelMode', `${row.bankType}-${row.mode}`)}</Text>,
    },
    {
      id: 'today',
      head: t('channel.today'),
      isRight: true,
      cell: (row) => <Money amount={row.today} currency={row.currency} />,
    },
    {
      id: 'ceiling',
      head: t('channel.ceiling'),
      isRight: true,
      cell: (row) =>
        row.ceiling === null ? (
          <Text size="sm" c="dimmed">
            {t('channel.noCeiling')}
          </Text>
        ) : (
          <Money amount={row.ceiling} currency={row.currency} />
        ),
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <Standing of={row} />,
    },
    ...(canManage
      ? [
          {
            id: 'actions',
            head: '',
            cell: (row: Channel) => <Actions row={row} rows={rows} openDialog={openDialog} />,
          },
        ]
      : []),
  ];
}

/** Deposit accounts that members pay into: which are shown, in which order, and their daily maximum. */
export function ChannelsPage() {
  const { t } = useText();
  const canManage = may(useMe(), 'channel.manage');
  const { dialog, setDialog, openAdd, close } = usePageDialog<DialogState>(canManage, {
    action: 'add',
    row: null,
  });
  const list = useQuery({
    queryKey: ['channels'],
    queryFn: () => api('GET /api/operator/deposit-accounts'),
    refetchInterval: 30_000,
  });
  const rows = list.data?.channels ?? [];
  const columns = useColumns(rows, setDialog);
  return (
    <Page
      title={t('nav.channels')}
      actions={
        canManage && (
          <Button leftSection={<Icon of={Plus} />} onClick={openAdd}>
            {t('channel.add')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('channel.about')}
      </Text>
      <DataTable
        name={t('nav.channels')}
        columns={columns}
        rows={still(rows)}
        total={rows.length}
        list={list}
      />
      {dialog?.action === 'add' && <AddChannel replaces={dialog.row} onClose={close} />}
      {dialog?.action === 'change' && dialog.row && <ChangeChannel row={dialog.row} onClose={close} />}
    </Page>
  );
}

import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { BankReference, State, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { CursorList } from './list.tsx';
import type { Member } from './types.ts';

type Of = { of: Member };

export function DepositsTab({ of: { id } }: Of) {
  const { t } = useText();
  type Row = Reply<'GET /api/operator/deposits'>['deposits'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    {
      id: 'channel',
      head: t('col.channel'),
      cell: (row) => <Text size="sm">{labelOf(t, 'type', row.channel)}</Text>,
    },
    {
      id: 'bank',
      head: t('col.reference'),
      cell: (row) => <BankReference of={row} />,
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
      cell: (row) => <State of={row.reversedAt ? 'REVERSED' : row.approval ? 'APPROVAL' : 'CREDITED'} />,
    },
  ];
  return (
    <CursorList
      name={t('nav.deposits')}
      columns={columns}
      queryKey={['deposits', { member: id }]}
      placeOf={(row) => `/deposits?q=${row.id}`}
      read={(paging) => api('GET /api/operator/deposits', { query: { ...paging, member: id } })}
      rowsOf={(reply) => reply.deposits}
    />
  );
}

export function ChatsTab({ of: { id } }: Of) {
  const { t } = useText();
  type Row = Reply<'GET /api/operator/chats'>['chats'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.lastAt} /> },
    { id: 'words', head: t('col.what'), cell: (row) => <Text size="sm">{row.lastWords}</Text> },
    { id: 'by', head: t('col.actor'), cell: (row) => <Text size="sm">{row.assignee?.name ?? '–'}</Text> },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.state} family="chatState" /> },
  ];
  return (
    <CursorList
      name={t('nav.chats')}
      columns={columns}
      queryKey={['chats', { member: id }]}
      placeOf={(row) => `/chats?open=${row.id}`}
      read={(paging) => api('GET /api/operator/chats', { query: { ...paging, member: id } })}
      rowsOf={(reply) => reply.chats}
    />
  );
}

export function WithdrawalsTab({ of: { id } }: Of) {
  const { t } = useText();
  type Row = Reply<'GET /api/operator/withdrawals'>['withdrawals'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'id', head: t('col.reference'), cell: (row) => <Text size="sm">{row.id}</Text> },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <State of={row.approval ? 'APPROVAL' : row.status} />,
    },
  ];
  return (
    <CursorList
      name={t('nav.withdrawals')}
      columns={columns}
      queryKey={['withdrawals', { member: id }]}
      placeOf={(row) => `/withdrawals?status=ALL&q=${row.id}&open=${row.id}`}
      read={(paging) =>
        api('GET /api/operator/withdrawals', { query: { ...paging, member: id, sort: '-createdAt' } })
      }
      rowsOf={(reply) => reply.withdrawals}
    />
  );
}

export function SlipsTab({ of: { id } }: Of) {
  const { t } = useText();
  type Row = Reply<'GET /api/operator/slips'>['slips'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'id', head: t('col.reference'), cell: (row) => <Text size="sm">{row.id}</Text> },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) =>
        row.amount === null ? '–' : <Money amount={row.amount} currency={row.currency ?? 'BAHT'} />,
    },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
  ];
  return (
    <CursorList
      name={t('nav.slips')}
      columns={columns}
      queryKey={['slips', { member: id }]}
      placeOf={(row) => `/slips?q=${row.id}&open=${row.id}`}
      read={(paging) =>
        api('GET /api/operator/slips', { query: { ...paging, member: id, sort: '-createdAt' } })
      }
      rowsOf={(reply) => reply.slips}
    />
  );
}

export function TransfersTab({ of: { id } }: Of) {
  const { t } = useText();
  type Row = Reply<'GET /api/operator/transfers'>['transfers'][number];
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'id', head: t('col.reference'), cell: (row) => <Text size="sm">{row.id}</Text> },
    {
      id: 'way',
      head: t('col.game'),
      cell: ({ direction, gameName: game }) => (
        <Text size="sm">
          {direction === 'IN' ? t('transfers.in', { game }) : t('transfers.out', { game })}
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
  ];
  return (
    <CursorList
      name={t('nav.transfers')}
      columns={columns}
      queryKey={['transfers', { member: id }]}
      placeOf={(row) => `/transfers?q=${row.id}`}
      read={(paging) => api('GET /api/operator/transfers', { query: { ...paging, member: id } })}
      rowsOf={(reply) => reply.transfers}
    />
  );
}

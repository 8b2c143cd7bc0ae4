import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DaysFilter } from '../../parts/day-field.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Money } from '../../parts/money.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { BankReference, Mark, MemberLink, State, When } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, type Reply } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { wordOf } from '../../platform/error-text.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { useGo } from '../../platform/paths.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';
import { LostGifts } from './gifts.tsx';
import { useReversal } from './reverse.tsx';

type Row = Reply<'GET /api/operator/deposits'>['deposits'][number];
type Filter = Query<'GET /api/operator/deposits'>;

const CHANNELS = ['QR', 'AUTO', 'SLIP', 'GIFT', 'MANUAL'];

export function useDepositColumns(): Column<Row>[] {
  const { t } = useText();
  return [
    { id: 'at', sort: 'createdAt', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'channel',
      head: t('col.channel'),
      cell: (row) => <Text size="sm">{wordOf(t, 'type', row.channel)}</Text>,
    },
    {
      id: 'bank',
      head: t('col.reference'),
      cell: (row) => <BankReference of={row} />,
    },
    {
      id: 'sender',
      head: t('col.payer'),
      cell: (row) => (
        <Mark isRight={!row.fromStranger}>
          {row.fromStranger ? t('deposits.stranger') : t('deposits.own')}
        </Mark>
      ),
    },
    {
      id: 'amount',
      sort: 'amount',
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
}

/** What came in, by every way. */
export function DepositsRoom() {
  const { t } = useText();
  const go = useGo();
  const address = useAddress();
  const query: Filter = {
    ...paged(address.page),
    ...timesOfDays(address.get('from'), address.get('to')),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    q: address.get('q') || undefined,
    channel: address.get('channel') || undefined,
    stranger: address.get('stranger') === '' ? undefined : address.get('stranger') === 'true',
  };
  const list = useQuery({
    queryKey: ['deposits', query],
    queryFn: () => api('GET /api/operator/deposits', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.deposits, address.key);
  const open = (row: Row) => go(`/members/${row.member.id}`);
  const keys = useListKeys(rows, open);
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  const reversal = useReversal();
  const columns = [...useDepositColumns(), reversal.column];
  return (
    <Page title={t('nav.deposits')} actions={<ListTools room="deposits" columns={columns} query={query} />}>
      <LostGifts />
      <Group gap="xs">
        <FilterField value={address.get('q')} onChange={setText} />
        <FilterSelect
          label={t('col.channel')}
          value={address.get('channel')}
          options={CHANNELS.map((value) => ({ value, label: wordOf(t, 'type', value) }))}
          onChange={(channel) => address.set({ channel })}
        />
        <FilterSelect
          label={t('col.payer')}
          value={address.get('stranger')}
          options={[
            { value: 'true', label: t('deposits.stranger') },
            { value: 'false', label: t('deposits.own') },
          ]}
          onChange={(stranger) => address.set({ stranger })}
        />
        <DaysFilter />
      </Group>
      <DataTable
        room="deposits"
        order="-createdAt"
        name={t('nav.deposits')}
        columns={columns}
        rows={rows}
        total={list.data?.total}
        sums={list.data?.sums}
        page={address.page}
        onPage={(page) => address.set({ page })}
        list={list}
        current={keys.current}
        onOpen={open}
      />
      {reversal.dialog}
    </Page>
  );
}

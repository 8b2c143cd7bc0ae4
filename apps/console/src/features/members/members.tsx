import { MEMBER_STATUSES } from '@krapao/contract/shared';
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
import { Account, MemberLink, State, When } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, type Reply } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { useGo } from '../../platform/paths.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';

type Row = Reply<'GET /api/operator/members'>['members'][number];
type Filter = Query<'GET /api/operator/members'>;

/** Members by phone, id, name or account number. */
export function MembersRoom() {
  const { t } = useText();
  const go = useGo();
  const address = useAddress();
  const query: Filter = {
    ...paged(address.page),
    ...timesOfDays(address.get('from'), address.get('to')),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    q: address.get('q') || undefined,
    status: (address.get('status') || undefined) as Filter['status'],
  };
  const list = useQuery({
    queryKey: ['members', query],
    queryFn: () => api('GET /api/operator/members', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.members, address.key);
  const open = (row: Row) => go(`/members/${row.id}`);
  const keys = useListKeys(rows, open);
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  const columns: Column<Row>[] = [
    { id: 'member', sort: 'name', head: t('col.member'), cell: (row) => <MemberLink of={row} /> },
    { id: 'phone', head: t('col.phone'), cell: (row) => <Text size="sm">{row.phone}</Text> },
    {
      id: 'account',
      head: t('col.account'),
      cell: (row) => (row.account ? <Account of={row.account} /> : '–'),
    },
    {
      id: 'wallet',
      head: t('col.wallet'),
      isRight: true,
      cell: (row) => <Money amount={row.wallet} currency={row.currency} />,
    },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
    { id: 'since', sort: 'createdAt', head: t('col.since'), cell: (row) => <When at={row.createdAt} /> },
  ];
  return (
    <Page title={t('nav.members')} actions={<ListTools room="members" columns={columns} query={query} />}>
      <Group gap="xs">
        <FilterField value={address.get('q')} onChange={setText} />
        <FilterSelect
          label={t('col.state')}
          value={address.get('status')}
          options={MEMBER_STATUSES.map((value) => ({ value, label: t(`state.${value}`) }))}
          onChange={(status) => address.set({ status })}
        />
        <DaysFilter />
      </Group>
      <DataTable
        room="members"
        order="-createdAt"
        name={t('nav.members')}
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
    </Page>
  );
}

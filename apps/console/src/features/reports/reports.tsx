import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DaysFilter } from '../../parts/day-field.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Money } from '../../parts/money.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { Age, MemberLink, State, Tag } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';
import { Doubts } from './doubts.tsx';
import { ListSwitch, useListShown } from './list-switch.tsx';
import { type Report, type Settling, useSettling } from './settle.tsx';

type Filter = Query<'GET /api/operator/reports'>;

function Acts({ of: row, settling }: { of: Report; settling: Settling }) {
  const { t } = useText();
  return (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-sm" onClick={() => void settling.ask({ act: 'credit', report: row })}>
        {t('reports.credit')}
      </Button>
      <Button
        size="compact-sm"
        className="danger"
        onClick={() => void settling.ask({ act: 'refuse', report: row })}
      >
        {t('reports.refuse')}
      </Button>
    </Group>
  );
}

function useColumns(canAct: (row: Report) => boolean, settling: Settling): Column<Report>[] {
  const { t } = useText();
  return [
    { id: 'age', sort: 'createdAt', head: t('col.age'), cell: (row) => <Age since={row.createdAt} /> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { id: 'lines', head: t('reports.lines'), isRight: true, cell: (row) => row.lines.length },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => (
        <Stack gap={2}>
          <State of={row.approval ? 'APPROVAL' : row.state} />
          {row.credits.length > 0 && <Tag tone="warn">{t('reports.credited')}</Tag>}
          {row.claim && <Text size="xs">{row.claim.by}</Text>}
        </Stack>
      ),
    },
    { id: 'acts', head: '', cell: (row) => canAct(row) && <Acts of={row} settling={settling} /> },
  ];
}

function Reports() {
  const { t } = useText();
  const address = useAddress();
  const canSettle = may(useMe(), 'unmatched.settle');
  const settling = useSettling();
  const state = address.get('state') || 'PENDING';
  const query: Filter = {
    ...paged(address.page),
    ...timesOfDays(address.get('from'), address.get('to')),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    q: address.get('q') || undefined,
    state: state as Filter['state'],
  };
  const list = useQuery({
    queryKey: ['reports', query],
    queryFn: () => api('GET /api/operator/reports', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.reports, address.key);
  const canAct = (row: Report) => canSettle && row.state === 'PENDING' && !row.approval;
  const ask = (act: 'credit' | 'refuse', row: Report | undefined) =>
    row && canAct(row) && void settling.ask({ act, report: row });
  const keys = useListKeys(
    rows,
    (row) => ask('credit', row),
    (row) => ({ a: () => ask('credit', row), r: () => ask('refuse', row) }),
  );
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  const columns = useColumns(canAct, settling);
  return (
    <Page title={t('nav.reports')} actions={<ListTools room="reports" columns={columns} query={query} />}>
      <ListSwitch />
      <Group gap="xs">
        <FilterField value={address.get('q')} onChange={setText} />
        <FilterSelect
          label={t('col.state')}
          value={state}
          options={(['PENDING', 'SUCCESS', 'FAILED'] as const).map((value) => ({
            value,
            label: t(`state.${value}`),
          }))}
          onChange={(value) => address.set({ state: value })}
        />
        <DaysFilter />
      </Group>
      <DataTable
        empty={t('empty.reports')}
        room="reports"
        order={state === 'PENDING' ? 'createdAt' : '-createdAt'}
        name={t('reports.reports')}
        columns={columns}
        rows={rows}
        total={list.data?.total}
        sums={list.data?.sums}
        page={address.page}
        onPage={(page) => address.set({ page })}
        list={list}
        current={keys.current}
      />
      {settling.dialog}
    </Page>
  );
}

/** What has to be found out of money that came: payments members report, and tellings that fit several transfers. */
export function ReportsRoom() {
  return useListShown() === 'doubts' ? <Doubts /> : <Reports />;
}

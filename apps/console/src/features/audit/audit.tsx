import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DaysFilter } from '../../parts/day-field.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { When } from '../../parts/pieces.tsx';
import { Thing } from '../../parts/thing.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, type Reply } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { wordOf } from '../../platform/error-text.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';
import { Change } from './change.tsx';

type Filter = Query<'GET /api/operator/audit'>;
type Row = Reply<'GET /api/operator/audit'>['rows'][number];

const KINDS = [
  'withdrawal',
  'unmatched',
  'transfer',
  'member',
  'manual',
  'slip',
  'report',
  'view',
  'approval',
  'operator',
  'role',
  'reconciliation',
  'export',
  'setting',
];

function useColumns(): Column<Row>[] {
  const { t } = useText();
  return [
    { id: 'at', sort: 'at', head: t('col.at'), cell: (row) => <When at={row.at} /> },
    {
      id: 'actor',
      head: t('col.actor'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{actorText(t, row.actor)}</Text>
          <Text size="xs" c="dimmed">
            {[row.role && wordOf(t, 'role', row.role), row.address].filter(Boolean).join(' · ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'action',
      head: t('col.what'),
      cell: (row) => <Text size="sm">{wordOf(t, 'act', row.action)}</Text>,
    },
    { id: 'thing', head: t('col.thing'), cell: (row) => <Thing of={row.thing} /> },
    { id: 'change', head: t('col.change'), cell: (row) => <Change of={row} /> },
    {
      id: 'reason',
      head: t('field.reason'),
      cell: (row) => <Text size="sm">{row.reason ? wordOf(t, 'bankReason', row.reason) : '–'}</Text>,
    },
  ];
}

/** Who did what, when, why and from where. */
export function AuditRoom() {
  const { t } = useText();
  const address = useAddress();
  const query: Filter = {
    ...paged(address.page),
    ...timesOfDays(address.get('from'), address.get('to')),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    actor: address.get('q') || undefined,
    action: address.get('action') || undefined,
    thing: address.get('thing') || undefined,
  };
  const list = useQuery({
    queryKey: ['audit', query],
    queryFn: () => api('GET /api/operator/audit', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.rows, address.key);
  const keys = useListKeys(rows, () => undefined);
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  const columns = useColumns();
  return (
    <Page title={t('nav.audit')} actions={<ListTools room="audit" columns={columns} query={query} />}>
      <Group gap="xs">
        <FilterField value={address.get('q')} onChange={setText} />
        <FilterSelect
          label={t('col.what')}
          value={address.get('action')}
          options={KINDS.map((value) => ({ value, label: wordOf(t, 'type', value) }))}
          onChange={(action) => address.set({ action })}
        />
        <DaysFilter />
      </Group>
      <DataTable
        room="audit"
        order="-at"
        name={t('nav.audit')}
        columns={columns}
        rows={rows}
        total={list.data?.total}
        page={address.page}
        onPage={(page) => address.set({ page })}
        list={list}
        current={keys.current}
      />
    </Page>
  );
}

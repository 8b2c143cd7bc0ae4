import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Money } from '../../parts/money.tsx';
import { Page, paged } from '../../parts/page.tsx';
import { BankReference, When } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query } from '../../platform/api.ts';
import { wordOf } from '../../platform/error-text.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';
import { ListSwitch } from './list-switch.tsx';
import { type Doubt, type Settling, useSettling } from './settle.tsx';

type Filter = Query<'GET /api/operator/doubts'>;

function useColumns(canAct: boolean, settling: Settling): Column<Doubt>[] {
  const { t } = useText();
  return [
    { id: 'at', sort: 'paidAt', head: t('col.paidAt'), cell: (row) => <When at={row.paidAt} /> },
    { id: 'source', head: t('doubts.source'), cell: (row) => wordOf(t, 'source', row.source) },
    {
      id: 'reference',
      head: t('col.reference'),
      cell: (row) => <BankReference of={row} />,
    },
    {
      id: 'payer',
      head: t('col.payer'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.payerName ?? '–'}</Text>
          <Text size="xs" c="dimmed">{`${row.payerBank} ${row.payerAccount}`}</Text>
        </Stack>
      ),
    },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { id: 'lines', head: t('doubts.fits'), isRight: true, cell: (row) => row.lines.length },
    { id: 'claim', head: t('col.claim'), cell: (row) => row.claim?.by ?? t('claim.nobody') },
    {
      id: 'acts',
      head: '',
      cell: (row) =>
        canAct && (
          <Button size="compact-sm" onClick={() => void settling.ask({ act: 'decide', doubt: row })}>
            {t('doubts.decide')}
          </Button>
        ),
    },
  ];
}

/** Tellings of a transfer that may be of one known line or another: nothing was booked for them. */
export function Doubts() {
  const { t } = useText();
  const address = useAddress();
  const canAct = may(useMe(), 'unmatched.settle');
  const settling = useSettling();
  const query: Filter = {
    ...paged(address.page),
    sort: (address.get('sort') || undefined) as Filter['sort'],
  };
  const list = useQuery({
    queryKey: ['doubts', query],
    queryFn: () => api('GET /api/operator/doubts', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.doubts, address.key);
  const decide = (row: Doubt) => canAct && void settling.ask({ act: 'decide', doubt: row });
  const keys = useListKeys(rows, decide, (row) => ({ a: () => row && decide(row) }));
  const columns = useColumns(canAct, settling);
  return (
    <Page title={t('nav.reports')} actions={<ListTools room="doubts" columns={columns} query={query} />}>
      <ListSwitch />
      <DataTable
        room="doubts"
        order="paidAt"
        name={t('reports.doubts')}
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

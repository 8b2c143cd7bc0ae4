import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Money } from '../../parts/money.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { Age, MemberLink, State } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, type Reply } from '../../platform/api.ts';
import { doubtText } from '../../platform/doubt-text.ts';
import { wordOf } from '../../platform/error-text.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';
import { useSlipDecision } from './decision.tsx';
import { SlipPanel } from './panel.tsx';

type Row = Reply<'GET /api/operator/slips'>['slips'][number];
type Filter = Query<'GET /api/operator/slips'>;

const STATES = ['REVIEW', 'PENDING', 'SUCCESS', 'FAILED'] as const;

function useColumns(): Column<Row>[] {
  const { t } = useText();
  return [
    { id: 'age', sort: 'createdAt', head: t('col.age'), cell: (row) => <Age since={row.createdAt} /> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) =>
        row.amount === null ? '–' : <Money amount={row.amount} currency={row.currency ?? 'BAHT'} />,
    },
    {
      id: 'bank',
      head: t('slips.to'),
      cell: (row) => <Text size="sm">{row.bankCode ? wordOf(t, 'type', row.bankCode) : '–'}</Text>,
    },
    {
      id: 'why',
      head: t('col.why'),
      cell: (row) => (
        <Text size="sm">
          {row.note
            ? wordOf(t, 'note', row.note)
            : row.doubts.map((doubt) => doubtText(t, doubt)).join(' · ') || '–'}
        </Text>
      ),
    },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
    {
      id: 'claim',
      head: t('col.claim'),
      cell: (row) => <Text size="sm">{row.claim?.by ?? t('claim.nobody')}</Text>,
    },
  ];
}

/** Slips that members handed in; those that wait for an operator come first. */
export function SlipsRoom() {
  const { t } = useText();
  const canDecide = may(useMe(), 'slip.decide');
  const address = useAddress();
  const openId = address.get('open');
  const query: Filter = {
    ...paged(address.page),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    q: address.get('q') || undefined,
    status: (address.get('status') || undefined) as Filter['status'],
  };
  const list = useQuery({
    queryKey: ['slips', query],
    queryFn: () => api('GET /api/operator/slips', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.slips, address.key);
  const columns = useColumns();
  const decision = useSlipDecision();
  const setOpen = (id: string | null) => address.set({ open: id });
  const canAct = (row: Row | undefined): row is Row => canDecide && row?.status === 'REVIEW';
  const keys = useListKeys(
    rows,
    (row) => setOpen(row.id),
    (row) => ({
      Escape: () => setOpen(null),
      a: () => canAct(row) && void decision.ask(row, 'accept'),
      r: () => canAct(row) && void decision.ask(row, 'refuse'),
    }),
  );
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  return (
    <Group align="flex-start" wrap="nowrap" gap="md">
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Page title={t('nav.slips')} actions={<ListTools room="slips" columns={columns} query={query} />}>
          <Group gap="xs">
            <FilterField value={address.get('q')} onChange={setText} />
            <FilterSelect
              label={t('col.state')}
              value={address.get('status')}
              options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
              onChange={(status) => address.set({ status })}
            />
          </Group>
          <DataTable
            empty={t('empty.slips')}
            room="slips"
            name={t('nav.slips')}
            columns={columns}
            rows={rows}
            total={list.data?.total}
            sums={list.data?.sums}
            page={address.page}
            onPage={(page) => address.set({ page })}
            list={list}
            current={keys.current ?? openId}
            onOpen={(row) => {
              keys.setCurrent(row.id);
              setOpen(row.id);
            }}
          />
        </Page>
      </Box>
      {openId && <SlipPanel key={openId} id={openId} decision={decision} onClose={() => setOpen(null)} />}
      {decision.dialog}
    </Group>
  );
}

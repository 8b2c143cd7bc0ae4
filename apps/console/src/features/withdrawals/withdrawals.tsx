import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide';
import { useCallback, useState } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DaysFilter } from '../../parts/day-field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Money } from '../../parts/money.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { Account, Age, Figure, KeyHint, MemberLink, State } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, type Reply } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { type Steady, useSteadyRows } from '../../platform/steady-rows.ts';
import { type Bulk, BulkBar, useBulk, useBulkColumn } from './bulk.tsx';
import { type Decision, useDecision } from './decision.tsx';
import { WithdrawalPanel } from './panel.tsx';

type Row = Reply<'GET /api/operator/withdrawals'>['withdrawals'][number];
type Filter = Query<'GET /api/operator/withdrawals'>;

const STATES = ['REVIEW', 'QUEUED', 'PROCESSING', 'SUCCESS', 'FAILED'] as const;
const ANY = 'ALL';
/** Before the name of whoever has taken a row, among the few other choices. */
const BY = 'by ';

/** What matters most about a row now. */
function shownState(row: Row): string {
  if (row.approval) return 'APPROVAL';
  if (row.returnedAt) return 'RETURNED';
  if (row.status === 'REVIEW' && row.unplayed !== null) return 'UNPLAYED';
  return row.status === 'QUEUED' && row.heldUntil ? 'HELD' : row.status;
}

function useColumns(bulk: Bulk): Column<Row>[] {
  const { t } = useText();
  const boxes = useBulkColumn(bulk);
  return [
    boxes,
    { id: 'age', sort: 'createdAt', head: t('col.age'), cell: (row) => <Age since={row.createdAt} /> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { id: 'account', head: t('col.account'), cell: (row) => <Account of={row.account} /> },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <State of={shownState(row)} />,
    },
    {
      id: 'claim',
      head: t('col.claim'),
      cell: (row) => (
        <Text size="sm" c={row.claim ? undefined : 'dimmed'} fw={row.claim?.mine ? 700 : 400}>
          {row.claim?.by ?? t('claim.nobody')}
        </Text>
      ),
    },
  ];
}

/** The rows that fit the address; `round` grows when the list is asked for anew. */
function useQueue(status: string, round: number) {
  const address = useAddress();
  const query: Filter = {
    ...paged(address.page),
    ...timesOfDays(address.get('from'), address.get('to')),
    status: status === ANY ? undefined : (status as Filter['status']),
    claimed: (address.get('claimed') || undefined) as Filter['claimed'],
    claimant: address.get('claimant') || undefined,
    q: address.get('q') || undefined,
    sort: (address.get('sort') || (status === 'REVIEW' ? 'createdAt' : '-createdAt')) as Filter['sort'],
  };
  const list = useQuery({
    queryKey: ['withdrawals', query],
    queryFn: () => api('GET /api/operator/withdrawals', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(
    list.isPlaceholderData ? undefined : list.data?.withdrawals,
    `${round} ${address.key}`,
  );
  return { list, rows, query };
}

function Filters({ status }: { status: string }) {
  const { t } = useText();
  const address = useAddress();
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  const claimant = address.get('claimant');
  return (
    <>
      <FilterField value={address.get('q')} onChange={setText} />
      <FilterSelect
        label={t('col.state')}
        value={status}
        options={[ANY, ...STATES].map((value) => ({ value, label: t(`state.${value}` as never) }))}
        onChange={(value) => address.set({ status: value === '' ? ANY : value })}
      />
      <FilterSelect
        label={t('col.claim')}
        value={claimant ? BY + claimant : address.get('claimed')}
        options={[
          { value: 'mine', label: t('claim.mine') },
          { value: 'nobody', label: t('claim.nobody') },
          { value: 'others', label: t('claim.others') },
          ...(claimant ? [{ value: BY + claimant, label: claimant }] : []),
        ]}
        onChange={(claimed) => address.set({ claimed, claimant: null })}
      />
      <DaysFilter />
    </>
  );
}

function useQueueKeys(
  rows: readonly Steady<Row>[],
  decision: Decision,
  bulk: Bulk,
  setOpen: (id: string | null) => void,
) {
  const me = useMe();
  const canDecide = may(me, 'withdrawal.decide');
  return useListKeys(
    rows,
    (row) => setOpen(row.id),
    (row) => ({
      x: () => row && bulk.toggle(row),
      X: bulk.toggleAll,
      Escape: () => setOpen(null),
      ...(canDecide && bulk.picked.size > 0 ? { a: bulk.ask } : {}),
      ...(canDecide && row && bulk.picked.size === 0
        ? {
            c: () => decision.claim(row),
            a: () => decision.ask(row, 'approve'),
            r: () => decision.ask(row, 'reject'),
          }
        : {}),
    }),
  );
}

function Hints() {
  const { t } = useText();
  return (
    <Group gap="sm" visibleFrom="lg">
      <KeyHint keys={['j', 'k']}>{t('keys.move')}</KeyHint>
      <KeyHint keys={['x']}>{t('keys.select')}</KeyHint>
      <KeyHint keys={['Enter']}>{t('keys.open')}</KeyHint>
      <KeyHint keys={['a']}>{t('keys.approve')}</KeyHint>
      <KeyHint keys={['r']}>{t('keys.reject')}</KeyHint>
    </Group>
  );
}

/** The queue of withdrawals: a table, and beside it the one that is open. */
export function WithdrawalsRoom() {
  const { t } = useText();
  const me = useMe();
  const address = useAddress();
  const status = address.get('status') || 'REVIEW';
  const openId = address.get('open');
  const [round, setRound] = useState(0);
  const { list, rows, query } = useQueue(status, round);
  const bulk = useBulk(rows);
  const columns = useColumns(bulk);
  const setOpen = (id: string | null) => address.set({ open: id });
  const decision = useDecision();
  const canDecide = may(me, 'withdrawal.decide');
  const keys = useQueueKeys(rows, decision, bulk, setOpen);
  return (
    <Group align="flex-start" wrap="nowrap" gap="md">
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Page
          title={t('nav.withdrawals')}
          actions={
            <>
              <Button
                variant="default"
                leftSection={<Icon of={RefreshCw} />}
                onClick={() => setRound((now) => now + 1)}
              >
                {t('btn.refresh')}
              </Button>
              <ListTools room="withdrawals" columns={columns} query={query} />
            </>
          }
        >
          <Figures />
          <Group gap="xs">
            <Filters status={status} />
            {canDecide && <BulkBar bulk={bulk} />}
          </Group>
          <DataTable
            empty={t('empty.withdrawals')}
            room="withdrawals"
            order={status === 'REVIEW' ? 'createdAt' : '-createdAt'}
            name={t('nav.withdrawals')}
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
            foot={<Hints />}
          />
        </Page>
      </Box>
      {openId && (
        <WithdrawalPanel key={openId} id={openId} decision={decision} onClose={() => setOpen(null)} />
      )}
      {decision.dialog}
      {bulk.dialog}
    </Group>
  );
}

function Figures() {
  const { t } = useText();
  const today = useQuery({ queryKey: ['today'], queryFn: () => api('GET /api/operator/today') });
  const waiting = useQuery({
    queryKey: ['withdrawals', 'waiting'],
    queryFn: () => api('GET /api/operator/withdrawals', { query: { status: 'REVIEW', limit: 1 } }),
  });
  const { count = 0, oldest = null } = today.data?.waiting.withdrawals ?? {};
  return (
    <Group gap="sm" grow>
      <Figure name={t('withdrawals.waiting')}>{count}</Figure>
      <Figure name={t('withdrawals.oldest')}>{oldest ? <Age since={oldest} isBig /> : '–'}</Figure>
      <Figure name={t('withdrawals.sum')}>
        {waiting.data?.sums.map((sum) => (
          <Money key={sum.currency} amount={sum.amount} currency={sum.currency} />
        ))}
        {waiting.data?.sums.length === 0 && '–'}
      </Figure>
      <Figure name={t('withdrawals.paidToday')}>
        {today.data?.cash.map((cash) => (
          <Money key={cash.currency} amount={cash.out} currency={cash.currency} />
        ))}
      </Figure>
    </Group>
  );
}

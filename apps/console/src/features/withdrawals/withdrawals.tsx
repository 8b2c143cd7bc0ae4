import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide';
import { useState } from 'react';
import { useSelectionColumn } from '../../components/bulk.tsx';
import { Account, Age, Figure, KeyHint, MemberLink, State, When } from '../../components/cells.tsx';
import { type ChoicesDef, useAssignmentChoices } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { Icon } from '../../components/icons.tsx';
import { AmountFilter, ChoiceFilter, ListPage, TextFilter } from '../../components/list-page.tsx';
import { FilterSelect } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { ScoreTag } from '../../components/risk.tsx';
import { readWithdrawalsAgain } from '../../components/undo.ts';
import { actorText } from '../../platform/actor-text.ts';
import { useAddress } from '../../platform/address.ts';
import { api, type Reply } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { momentText } from '../../platform/days.ts';
import type { Keys } from '../../platform/keys.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Steady } from '../../platform/steady-rows.ts';
import { ANY, useList } from '../../platform/use-list.ts';
import { type Bulk, BulkBar, useBulk } from './bulk.tsx';
import { type Decision, useDecision } from './decision.tsx';
import { WithdrawalPanel } from './panel.tsx';
import { RejectionReasons } from './rejection-reasons.tsx';

type Row = Reply<'GET /api/operator/withdrawals'>['withdrawals'][number];

const OUTCOMES = ['pass', 'review', 'held'] as const;
const OLDER_MINUTES = ['15', '60', '1440'] as const;
/** Waiting rows show their age; others show their end. */
const QUEUES = ['REVIEW', 'QUEUED', 'PROCESSING'];
const STATES = ['REVIEW', 'QUEUED', 'PROCESSING', 'SUCCESS', 'FAILED'] as const;

/** What matters most about a row now. */
function shownState(row: Row): string {
  if (row.decision) return 'DECIDED';
  if (row.approval) return 'APPROVAL';
  if (row.returnedAt) return 'RETURNED';
  if (row.status === 'REVIEW' && row.unplayed !== null) return 'UNPLAYED';
  return row.status === 'QUEUED' && row.heldUntil ? 'HELD' : row.status;
}

/** States in which nothing waits any more. */
const ENDED = ['SUCCESS', 'FAILED'];

/** Who decided a withdrawal; empty for one that was paid automatically. */
function DecidedBy({ of: row }: { of: Row }) {
  const { t } = useText();
  const by = row.decidedBy ? actorText(t, row.decidedBy) : row.automatic ? t('withdrawals.automatic') : '–';
  return (
    <Text size="sm" c={row.decidedBy ? undefined : 'dimmed'}>
      {by}
    </Text>
  );
}

/** The age and operator of a waiting row; in other lists, the end and its operator. */
function useTimes(isQueue: boolean): { first: Column<Row>; last: Column<Row>[] } {
  const { t } = useText();
  if (isQueue)
    return {
      first: {
        id: 'age',
        sort: 'createdAt',
        head: t('col.age'),
        cell: (row) => <Age since={row.createdAt} />,
      },
      last: [
        {
          id: 'assignment',
          head: t('col.assignment'),
          cell: (row) => (
            <Text size="sm" c={row.assignment ? undefined : 'dimmed'} fw={row.assignment?.mine ? 700 : 400}>
              {row.assignment?.by ?? t('assignment.nobody')}
            </Text>
          ),
        },
      ],
    };
  return {
    first: {
      id: 'asked',
      sort: 'createdAt',
      head: t('col.requestedAt'),
      cell: (row) => <When at={row.createdAt} />,
    },
    last: [
      {
        id: 'ended',
        head: t('col.ended'),
        cell: (row) => <When at={ENDED.includes(row.status) ? row.updatedAt : null} />,
      },
      { id: 'decidedBy', head: t('col.decidedBy'), cell: (row) => <DecidedBy of={row} /> },
    ],
  };
}

function useColumns(bulk: Bulk, isQueue: boolean): Column<Row>[] {
  const { t } = useText();
  const { first, last } = useTimes(isQueue);
  const boxes = useSelectionColumn(bulk);
  const canDecide = may(useMe(), 'withdrawal.decide');
  return [
    ...(canDecide ? [boxes] : []),
    first,
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { id: 'risk', sort: 'risk', head: t('col.risk'), cell: (row) => <ScoreTag of={row.risk} /> },
    { id: 'account', head: t('col.account'), cell: (row) => <Account of={row.account} /> },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <State of={shownState(row)} />,
    },
    ...last,
  ];
}

/** Columns of waiting rows, and of the other lists. */
const ONLY_WAITING = ['age', 'assignment'];
const ONLY_ENDED = ['asked', 'ended', 'decidedBy'];

/** Columns that the panel of an open withdrawal repeats are hidden. */
const IN_PANEL = ['account', 'ended', 'decidedBy'];

/** The withdrawals that fit the address; `round` grows when the list is read again. */
const useQueue = (round: number) =>
  useList({
    ...LIST_CALLS.withdrawals,
    rowsOf: (reply) => reply.withdrawals,
    pageName: 'withdrawals',
    listKey: String(round),
  });

/** The filters of several values: states, the banks that members are paid at, assignments and risk. */
function useChoicesOf(status: string): ChoicesDef[] {
  const { t, language } = useText();
  const assignments = useAssignmentChoices();
  const banks = useQuery({ queryKey: ['banks'], queryFn: () => api('GET /api/operator/banks') });
  return [
    {
      name: 'status',
      label: t('col.state'),
      initial: status,
      options: STATES.map((value) => ({ value, label: t(`state.${value}`) })),
    },
    {
      name: 'bank',
      label: t('withdrawals.bank'),
      options: (banks.data?.banks ?? []).map((bank) => ({
        value: bank.code,
        label: bankName(bank, language),
      })),
    },
    assignments,
    {
      name: 'risk',
      label: t('col.risk'),
      options: OUTCOMES.map((value) => ({ value, label: t(`risk.${value}`) })),
    },
  ];
}

function Filters() {
  const { t } = useText();
  const address = useAddress();
  // A colleague's link has their name in place of `mine`.
  const assignee = address.get('assignee');
  // The figures of cash lead to what was paid on a day.
  const paid = address.get('paid');
  return (
    <>
      <TextFilter />
      {assignee && (
        <FilterSelect
          label={t('col.assignment')}
          value={assignee}
          options={[{ value: assignee, label: assignee }]}
          onChange={() => address.set({ assignee: null })}
        />
      )}
      {paid && (
        <FilterSelect
          label={t('col.paidAt')}
          value={paid}
          options={[{ value: paid, label: `${t('col.paidAt')} ${momentText(paid)}` }]}
          onChange={() => address.set({ paid: null })}
        />
      )}
      <ChoiceFilter
        name="olderMinutes"
        label={t('col.age')}
        options={OLDER_MINUTES.map((value) => ({ value, label: t(`withdrawals.older-${value}`) }))}
      />
      <AmountFilter name="amountMin" label={t('withdrawals.amountMin')} />
      <AmountFilter name="amountMax" label={t('withdrawals.amountMax')} />
      <DaysFilter />
    </>
  );
}

function useQueueKeys(decision: Decision, bulk: Bulk) {
  const canDecide = may(useMe(), 'withdrawal.decide');
  return (row: Row | undefined): Keys => ({
    ...(canDecide ? { x: () => row && bulk.toggle(row), X: bulk.toggleAll } : {}),
    ...(canDecide && bulk.selected.size > 0
      ? { a: () => bulk.openDialog('approve'), r: () => bulk.openDialog('reject') }
      : {}),
    ...(canDecide && row && bulk.selected.size === 0
      ? {
          c: () => decision.take(row),
          a: () => decision.openDialog(row, 'approve'),
          r: () => decision.openDialog(row, 'reject'),
        }
      : {}),
  });
}

function Hints() {
  const { t } = useText();
  const canDecide = may(useMe(), 'withdrawal.decide');
  return (
    <Group gap="sm" visibleFrom="lg">
      <KeyHint keys={['j', 'k']}>{t('keys.move')}</KeyHint>
      {canDecide && <KeyHint keys={['x']}>{t('keys.select')}</KeyHint>}
      <KeyHint keys={['Enter']}>{t('keys.open')}</KeyHint>
      {canDecide && (
        <>
          <KeyHint keys={['a']}>{t('keys.approve')}</KeyHint>
          <KeyHint keys={['r']}>{t('keys.reject')}</KeyHint>
        </>
      )}
    </Group>
  );
}

/** Whether the caller can decide about a row now. */
const isWaiting = (row: Row): boolean =>
  row.status === 'REVIEW' && !row.approval && !row.decision && (row.assignment?.mine ?? true);

/** The row that waits next after one, from the top again after the last. */
function nextWaiting(rows: readonly Steady<Row>[], from: Row): Row | undefined {
  const at = rows.findIndex(({ row }) => row.id === from.id);
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  return others.find(({ row, isGone }) => !isGone && isWaiting(row))?.row;
}

/** Leads to what waits, what is the caller's, and everything. */
function QueueTabs({ status }: { status: string }) {
  const { t } = useText();
  const address = useAddress();
  const isMine = address.get('assigned') === 'mine';
  return (
    <SegmentedControl
      aria-label={t('nav.withdrawals')}
      value={isMine ? 'mine' : status === 'REVIEW' ? 'waiting' : status === ANY ? 'all' : ''}
      data={[
        { value: 'waiting', label: t('withdrawals.tabWaiting') },
        { value: 'mine', label: t('withdrawals.tabMine') },
        { value: 'all', label: t('withdrawals.tabDone') },
      ]}
      onChange={(tab) =>
        address.set({
          status: tab === 'all' ? ANY : null,
          assigned: tab === 'mine' ? 'mine' : null,
          assignee: null,
          paid: null,
          sort: null,
        })
      }
    />
  );
}

/** The queue of withdrawals: a table, and beside it the one that is open. */
export function WithdrawalsPage() {
  const { t } = useText();
  const address = useAddress();
  const status = address.get('status') || 'REVIEW';
  const [round, setRound] = useState(0);
  const list = useQueue(round);
  const bulk = useBulk(list);
  const decision = useDecision({
    advance(from) {
      const next = nextWaiting(list.rows, from);
      if (next) address.set({ open: next.id });
    },
    open: ({ id }) => address.set({ open: id }),
  });
  const me = useMe();
  const canDecide = may(me, 'withdrawal.decide');
  const [isEditing, setEditing] = useState(false);
  return (
    <ListPage
      list={list}
      pageName="withdrawals"
      order={status === 'REVIEW' ? 'createdAt' : '-createdAt'}
      title={t('nav.withdrawals')}
      empty={t('empty.withdrawals')}
      isDense
      columns={useColumns(bulk, QUEUES.includes(status))}
      inPanel={IN_PANEL}
      otherColumns={QUEUES.includes(status) ? ONLY_ENDED : ONLY_WAITING}
      keys={useQueueKeys(decision, bulk)}
      actions={
        <>
          {may(me, 'chat.manage') && (
            <Button variant="default" onClick={() => setEditing(true)}>
              {t('withdrawals.reasons')}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<Icon of={RefreshCw} />}
            onClick={() => void readWithdrawalsAgain().then(() => setRound((now) => now + 1))}
          >
            {t('btn.refresh')}
          </Button>
        </>
      }
      above={!address.get('open') && <Figures />}
      filters={
        <>
          <QueueTabs status={status} />
          <Filters />
        </>
      }
      selectionBar={canDecide && bulk.selected.size > 0 && <BulkBar bulk={bulk} />}
      choices={useChoicesOf('REVIEW')}
      foot={<Hints />}
      panel={(id, onClose) => <WithdrawalPanel key={id} id={id} decision={decision} onClose={onClose} />}
    >
      {decision.dialog}
      {bulk.dialog}
      {isEditing && <RejectionReasons onClose={() => setEditing(false)} />}
    </ListPage>
  );
}

function Figures() {
  const { t } = useText();
  const mayReadToday = may(useMe(), 'today.read');
  const today = useQuery({
    queryKey: ['today'],
    queryFn: () => api('GET /api/operator/today'),
    enabled: mayReadToday,
  });
  const waiting = useQuery({
    queryKey: ['withdrawals', 'waiting'],
    queryFn: () => api('GET /api/operator/withdrawals', { query: { status: 'REVIEW', limit: 1 } }),
  });
  const { count = '–', oldest = null } = today.data?.waiting.withdrawals ?? {};
  const failed = [today, waiting].find((read) => read.error && !read.data);
  if (failed) return <ReadError of={failed} />;
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

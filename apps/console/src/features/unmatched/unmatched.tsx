import { Money } from '@krapao/ui/components/money.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Box, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { Bookings, bookingsField } from '../../components/bookings.tsx';
import { NameCell, useSelectionColumn } from '../../components/bulk.tsx';
import { Age, BankReference, MemberLink, State, When } from '../../components/cells.tsx';
import type { ChoicesDef } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { MemberField } from '../../components/member-field.tsx';
import { useNotice } from '../../components/notice.tsx';
import { type RowAction, selectionKeys, useRowActions } from '../../components/row-actions.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { ANY, useList } from '../../platform/use-list.ts';

type Row = Reply<'GET /api/operator/unmatched'>['transactions'][number];
type Filter = Query<'GET /api/operator/unmatched'>;
type Action = 'assign' | 'return';

const STATES = ['UNMATCHED', 'CREDITED', 'RETURNED'] as const;
const QUERY_KEYS = ['unmatched', 'today'] as const;
const readAgain = () => Promise.all(QUERY_KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));

const claim = (id: string) => api('POST /api/operator/unmatched/{id}/claim', { params: { id } });

/** Requests to book a bank transaction as sent back. */
const requestReturn = (id: string, values: Record<string, string>) =>
  api('POST /api/operator/unmatched/{id}/return', {
    params: { id },
    body: { proof: values.proof?.trim() ?? '', reason: values.reason?.trim() ?? '' },
  });

const proofField = (t: Translate): DialogField => ({ name: 'proof', label: t('field.proof'), least: 3 });
const reasonField = (t: Translate): DialogField => ({
  name: 'reason',
  label: t('field.reason'),
  rows: 2,
  least: 3,
});

/** The action on many bank transactions: each is assigned to the operator and its return requested. */
function useReturnOfMany(): RowAction<Row> {
  const { t } = useText();
  return {
    label: t('unmatched.return'),
    fields: [proofField(t), reasonField(t)],
    refusalOf: ({ state, approval, assignment }) => {
      if (state !== 'UNMATCHED') return { code: 'ROW_CHANGED', state };
      if (approval) return { code: 'APPROVAL_PENDING' };
      return assignment && !assignment.mine ? { code: 'CLAIMED', by: assignment.by } : null;
    },
    perform: async ({ id, assignment }, values) => {
      if (!assignment?.mine) await claim(id);
      const { approval, state } = await requestReturn(id, values);
      return approval ? 'APPROVAL' : state;
    },
  };
}

/** Takes the bank transaction first; the assigned operator may settle it. */
function useSettling() {
  const notice = useNotice();
  const [pending, setDialog] = useState<{ row: Row; action: Action } | null>(null);
  const openDialog = async (row: Row, action: Action) => {
    try {
      if (!row.assignment?.mine) await claim(row.id);
      setDialog({ row, action });
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  return { openDialog, dialog: pending && <Settle {...pending} onClose={() => setDialog(null)} /> };
}

/** The bookings of the chosen member that may already contain the money. */
function BookingsOf({ id, member }: { id: string; member: string }) {
  const { data } = useQuery({
    queryKey: ['bookings', id, member],
    queryFn: () => api('GET /api/operator/unmatched/{id}/bookings', { params: { id }, query: { member } }),
  });
  return <Bookings of={data?.bookings ?? []} />;
}

function Settle({ row, action, onClose }: { row: Row; action: Action; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async (values: Record<string, string>) => {
    try {
      if (action === 'assign') {
        const body = { member: values.member?.trim() ?? '', reason: values.reason?.trim() ?? '' };
        const params = { id: row.id };
        const { approval } = await api('POST /api/operator/unmatched/{id}/assign', { params, body });
        notice.say(approval ? t('approval.requested') : t('unmatched.assigned'));
      } else {
        const { approval } = await requestReturn(row.id, values);
        notice.say(approval ? t('approval.requested') : t('unmatched.returned'));
      }
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
  const member: DialogField = {
    name: 'member',
    label: t('unmatched.member'),
    least: 1,
    value: row.likely?.id ?? '',
    draw: (value, onChange) => (
      <MemberField
        label={t('unmatched.member')}
        value={value}
        onChange={onChange}
        amount={row.amount}
        currency={row.currency}
        transaction={row.id}
      />
    ),
  };
  return (
    <ActionDialog
      title={action === 'assign' ? t('unmatched.assign') : t('unmatched.return')}
      yes={action === 'assign' ? t('unmatched.assign') : t('withdrawals.sendToChecker')}
      fields={(values) =>
        action === 'assign'
          ? [
              member,
              ...(values.member
                ? [bookingsField(() => <BookingsOf id={row.id} member={values.member!} />)]
                : []),
              reasonField(t),
            ]
          : [proofField(t), reasonField(t)]
      }
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={row.amount} currency={row.currency} size={26} />
        <Text size="sm">
          {`${labelOf(t, 'type', row.bankCode)} ${row.bankReference} · ${row.payerName ?? '–'} ${row.payerAccount}`}
        </Text>
      </Stack>
    </ActionDialog>
  );
}

function Payer({ of: row }: { of: Row }) {
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm">{row.payerName ?? '–'}</Text>
      <Text size="xs" c="dimmed">
        {row.payerBank} {row.payerAccount}
      </Text>
    </Stack>
  );
}

/** Why no member was credited, and the candidates. */
function Why({ of: row }: { of: Row }) {
  const { t } = useText();
  const likely = row.candidates.length > 0 ? row.candidates : row.likely ? [row.likely] : [];
  return (
    <Stack gap={2}>
      <Text size="sm">{row.reason ? labelOf(t, 'alert', row.reason) : '–'}</Text>
      {likely.length > 0 && (
        <Box>
          <Text size="xs" c="dimmed">
            {t('col.likely')}
          </Text>
          {likely.map((one) => (
            <MemberLink key={one.id} of={one} />
          ))}
        </Box>
      )}
    </Stack>
  );
}

function useColumns(
  canHandle: (row: Row) => boolean,
  openDialog: (row: Row, action: Action) => Promise<void>,
): Column<Row>[] {
  const { t } = useText();
  return [
    {
      id: 'age',
      sort: 'receivedAt',
      head: t('col.age'),
      cell: (row) => (
        <Box title={t('col.paidAt')}>
          {row.state === 'UNMATCHED' && <Age since={row.receivedAt} />}
          <When at={row.paidAt} />
        </Box>
      ),
    },
    {
      id: 'bank',
      head: t('col.reference'),
      cell: (row) => <BankReference of={row} />,
    },
    {
      id: 'payer',
      head: t('col.payer'),
      cell: (row) => <Payer of={row} />,
    },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      id: 'why',
      head: t('col.why'),
      cell: (row) => <Why of={row} />,
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => (
        <Stack gap={2}>
          <State of={row.approval ? 'APPROVAL' : row.state} />
          {row.assignment && <Text size="xs">{row.assignment.by}</Text>}
        </Stack>
      ),
    },
    {
      id: 'actions',
      head: '',
      cell: (row) =>
        canHandle(row) && (
          <Stack gap={4}>
            <Button size="compact-sm" onClick={() => void openDialog(row, 'assign')}>
              {t('unmatched.assign')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => void openDialog(row, 'return')}>
              {t('unmatched.return')}
            </Button>
          </Stack>
        ),
    },
  ];
}

/** The filter by bank: those of the accounts that members pay into, and of the rows that are shown. */
function useBankChoices(rows: readonly Pick<Row, 'bankCode'>[]): ChoicesDef {
  const { t } = useText();
  const accounts = useQuery({
    enabled: may(useMe(), 'channel.read'),
    queryKey: ['channels'],
    queryFn: () => api('GET /api/operator/deposit-accounts'),
  });
  const codes = [...(accounts.data?.channels ?? []), ...rows].map(({ bankCode }) => bankCode);
  return {
    name: 'bank',
    label: t('withdrawals.bank'),
    options: [...new Set(codes)].toSorted().map((value) => ({ value, label: labelOf(t, 'type', value) })),
  };
}

/** Money received without an owner. */
export function UnmatchedPage() {
  const { t } = useText();
  const canSettle = may(useMe(), 'unmatched.settle');
  const state = useAddress().get('state') || 'UNMATCHED';
  const list = useList({
    queryKey: ['unmatched'],
    read: (query: Filter) => api('GET /api/operator/unmatched', { query }),
    rowsOf: (reply) => reply.transactions,
    pageName: 'unmatched',
    filters: ['q', 'bank'],
    // Without a state the server lists those that wait.
    query: { state: state === ANY ? STATES.join(',') : state },
  });
  const bankChoices = useBankChoices(list.rows.map(({ row }) => row));
  const settling = useSettling();
  const canHandle = (row: Row) => canSettle && row.state === 'UNMATCHED' && !row.approval;
  const many = useRowActions<Row>({
    list,
    canSelect: canHandle,
    nameOf: ({ bankCode, bankReference, payerName }) => (
      <NameCell title={payerName ?? '–'} below={`${labelOf(t, 'type', bankCode)} ${bankReference}`} />
    ),
    actions: [useReturnOfMany()],
    queryKeys: QUERY_KEYS,
  });
  const boxes = useSelectionColumn(many.selection);
  const columns = useColumns(canHandle, settling.openDialog);
  const assign = (row: Row) => canHandle(row) && void settling.openDialog(row, 'assign');
  return (
    <ListPage
      list={list}
      pageName="unmatched"
      order="receivedAt"
      title={t('nav.unmatched')}
      empty={t('empty.unmatched')}
      columns={canSettle ? [boxes, ...columns] : columns}
      onEnter={assign}
      keys={(row) => ({
        ...selectionKeys(many.selection, row),
        a: () => row && assign(row),
        r: () => row && canHandle(row) && void settling.openDialog(row, 'return'),
      })}
      filters={<TextFilter />}
      choices={[
        {
          name: 'state',
          label: t('col.state'),
          initial: 'UNMATCHED',
          options: STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        },
        bankChoices,
      ]}
      selectionBar={many.bar}
    >
      {settling.dialog}
      {many.dialog}
    </ListPage>
  );
}

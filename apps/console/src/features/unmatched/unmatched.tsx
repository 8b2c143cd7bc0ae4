import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import type { MessageId } from '@lingui/core';
import { Box, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { type Booking, Bookings, bookingsField } from '../../components/bookings.tsx';
import { NameCell, useSelectionColumn } from '../../components/bulk.tsx';
import { Age, BankReference, MemberLink, State, When } from '../../components/cells.tsx';
import type { ChoicesDef } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { MemberField } from '../../components/member-field.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { type RowAction, selectionKeys, useRowActions } from '../../components/row-actions.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { LIST_CALLS, UNMATCHED_STATES } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { useNewest } from '../../platform/newest.ts';
import { useList } from '../../platform/use-list.ts';

type Row = Reply<'GET /api/operator/unmatched'>['transactions'][number];
type Action = 'assign' | 'return';

const QUERY_KEYS = ['unmatched', 'today'] as const;
const readAgain = () => Promise.all(QUERY_KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));

const assign = (id: string) => api('POST /api/operator/unmatched/{id}/claim', { params: { id } });

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
      if (!assignment?.mine) await assign(id);
      const { approval, state } = await requestReturn(id, values);
      return approval ? 'APPROVAL' : state;
    },
  };
}

/** Takes the bank transaction first; the assigned operator may settle it. */
function useSettling() {
  const notice = useNotice();
  const [pending, setDialog] = useState<{ row: Row; action: Action } | null>(null);
  const begin = useNewest();
  const openDialog = async (row: Row, action: Action) => {
    const isNewest = begin();
    try {
      if (!row.assignment?.mine) await assign(row.id);
      if (isNewest()) setDialog({ row, action });
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  const Dialog = pending?.action === 'assign' ? Assign : Return;
  return {
    openDialog,
    dialog: pending && <Dialog key={pending.row.id} row={pending.row} onClose={() => setDialog(null)} />,
  };
}

/** Sends the decision on a bank transaction and says how it ended; a failure is shown and thrown. */
function useSend(done: MessageId) {
  const { t } = useText();
  const notice = useNotice();
  return async (request: () => Promise<{ approval: string | null }>) => {
    try {
      const { approval } = await request();
      notice.say(approval ? t('approval.requested') : t(done));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
}

interface DialogProps {
  row: Row;
  onClose: () => void;
}

function Transaction({ of: row }: { of: Row }) {
  const { t } = useText();
  return (
    <Stack gap={2}>
      <Money amount={row.amount} currency={row.currency} size={26} />
      <Text size="sm">
        {`${labelOf(t, 'type', row.bankCode)} ${row.bankReference} · ${row.payerName ?? '–'} ${row.payerAccount}`}
      </Text>
    </Stack>
  );
}

function Return({ row, onClose }: DialogProps) {
  const { t } = useText();
  const send = useSend('unmatched.returned');
  return (
    <ActionDialog
      title={t('unmatched.return')}
      yes={t('withdrawals.sendToChecker')}
      fields={[proofField(t), reasonField(t)]}
      onYes={(values) => send(() => requestReturn(row.id, values))}
      onClose={onClose}
    >
      <Transaction of={row} />
    </ActionDialog>
  );
}

/** Requests to book the transaction as the money of a booking made before. */
function Tie({ row, booking, onClose }: DialogProps & { booking: Booking }) {
  const { t } = useText();
  const send = useSend('unmatched.tied');
  const kind = booking.kind === 'report' ? 'report' : 'return';
  const request = ({ reason = '' }: Record<string, string>) =>
    api('POST /api/operator/unmatched/{id}/tie', {
      params: { id: row.id },
      body: { kind, booking: booking.id, reason: reason.trim() },
    });
  return (
    <ActionDialog
      title={t('bookings.same')}
      yes={t('withdrawals.sendToChecker')}
      fields={[reasonField(t)]}
      onYes={(values) => send(() => request(values))}
      onClose={onClose}
    >
      <Transaction of={row} />
      <Text size="sm">{`${dateTimeText(booking.at)} · ${t(`bookings.${kind}`, { id: booking.id })}`}</Text>
      <Text size="sm">{t('bookings.sameNote')}</Text>
    </ActionDialog>
  );
}

/** Credits a member; where their money may already be booked, the transaction can be tied to that booking instead. */
function Assign({ row, onClose }: DialogProps) {
  const { t } = useText();
  const send = useSend('unmatched.assigned');
  const [member, setMember] = useState(row.likely?.id ?? '');
  const [tied, setTied] = useState<Booking | null>(null);
  const found = useQuery({
    enabled: member !== '',
    queryKey: ['bookings', row.id, member],
    queryFn: () =>
      api('GET /api/operator/unmatched/{id}/bookings', { params: { id: row.id }, query: { member } }),
  });
  const bookings = found.data?.bookings ?? [];
  if (tied) return <Tie row={row} booking={tied} onClose={onClose} />;
  const request = ({ reason = '' }: Record<string, string>) =>
    api('POST /api/operator/unmatched/{id}/assign', {
      params: { id: row.id },
      body: { member, reason: reason.trim() },
    });
  const memberField: DialogField = {
    name: 'member',
    label: t('unmatched.member'),
    least: 1,
    value: member,
    draw: (value, onChange) => (
      <MemberField
        label={t('unmatched.member')}
        value={value}
        onChange={(id) => {
          setMember(id);
          onChange(id);
        }}
        amount={row.amount}
        currency={row.currency}
        transaction={row.id}
      />
    ),
  };
  return (
    <ActionDialog
      title={t('unmatched.assign')}
      yes={bookings.length > 0 ? t('withdrawals.sendToChecker') : t('unmatched.assign')}
      fields={[
        memberField,
        ...(bookings.length > 0 ? [bookingsField(() => <Bookings of={bookings} onTie={setTied} />)] : []),
        reasonField(t),
      ]}
      onYes={(values) => send(() => request(values))}
      onClose={onClose}
    >
      <Transaction of={row} />
      <ReadError of={found} />
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
  const list = useList({
    ...LIST_CALLS.unmatched,
    rowsOf: (reply) => reply.transactions,
    pageName: 'unmatched',
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
          options: UNMATCHED_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
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

import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { Bookings, bookingsField } from '../../components/bookings.tsx';
import { MemberField } from '../../components/member-field.tsx';
import { useNotice } from '../../components/notice.tsx';
import type { RowAction } from '../../components/row-actions.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { useNewest } from '../../platform/newest.ts';

export type Report = Reply<'GET /api/operator/reports'>['reports'][number];
export type AmbiguousMatch = Reply<'GET /api/operator/doubts'>['ambiguousMatches'][number];
type Candidate = AmbiguousMatch['transactions'][number];
type DialogState =
  | { action: 'credit' | 'refuse'; report: Report }
  | { action: 'decide'; match: AmbiguousMatch };

const readAgain = () =>
  Promise.all(
    ['reports', 'doubts', 'unmatched', 'today'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );
/** Chosen where no transaction is meant. */
const NO_TRANSACTION = 'none';
/** Begins the choice of a manually credited report. */
const REPORT = 'report:';

/** A bank transaction in one line of text, for a list to choose from. */
function useCandidateText() {
  const { t } = useText();
  return (transaction: Candidate) =>
    [
      `${labelOf(t, 'type', transaction.bankCode)} ${transaction.bankReference}`,
      `${transaction.payerBank} ${transaction.payerAccount}`,
      dateTimeText(transaction.paidAt),
      transaction.likely?.name ?? labelOf(t, 'state', transaction.state),
    ].join(' · ');
}

/** What evidence is decided to be: a transaction, a report, or a transfer of its own. */
function verdictOf({ transaction = '', member = '' }: Record<string, string>) {
  if (transaction.startsWith(REPORT)) return { report: transaction.slice(REPORT.length) };
  if (transaction !== NO_TRANSACTION) return { transaction };
  return member.trim() ? { member: member.trim() } : {};
}

/** Sends the action, reports the outcome, and reads the lists again. */
function useSend(pending: DialogState) {
  const { t } = useText();
  const notice = useNotice();
  const perform = async (values: Record<string, string>) => {
    const reason = values.reason?.trim() ?? '';
    const transaction =
      values.transaction === NO_TRANSACTION ? {} : { transaction: values.transaction ?? '' };
    if (pending.action === 'decide') {
      const body = { reason, ...verdictOf(values) };
      return api('POST /api/operator/doubts/{id}/decide', { params: { id: pending.match.id }, body });
    }
    const params = { id: pending.report.id };
    return pending.action === 'credit'
      ? api('POST /api/operator/reports/{id}/credit', { params, body: { reason, ...transaction } })
      : api('POST /api/operator/reports/{id}/refuse', { params, body: { reason } });
  };
  return async (values: Record<string, string>) => {
    try {
      const { state, approval } = await perform(values);
      notice.say(
        approval ? t('approval.requested') : t('reports.done', { state: labelOf(t, 'state', state) }),
      );
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
}

/** The transaction that is likely this member's; none while it may be another member's money, or booked already. */
const ownTransaction = ({ transactions, member, credits }: Report): string =>
  transactions.find(({ likely, bookings }) => likely?.id === member.id && bookings.length === 0)?.id ??
  (transactions.length === 0 && credits.length === 0 ? NO_TRANSACTION : '');

/** The first transaction that fits; none is chosen while the money may have been credited manually. */
const likelyVerdict = ({ transactions, reports }: AmbiguousMatch): string =>
  transactions[0]?.id ?? (reports.length === 0 ? NO_TRANSACTION : '');

/** Warns that the member may already have the reported amount, and lists the deposits. */
function CreditedBefore({ of: report }: { of: Report }) {
  const { t } = useText();
  if (report.credits.length === 0) return null;
  return (
    <Alert color="yellow" role="alert">
      <Stack gap={4}>
        <Text fw={700} size="sm">
          {t('reports.credited')}
        </Text>
        {report.credits.map(({ id, createdAt }) => (
          <Text key={id} size="sm">{`${dateTimeText(createdAt)} · ${id}`}</Text>
        ))}
        <Text size="sm">{t('reports.creditedNote')}</Text>
      </Stack>
    </Alert>
  );
}

/** The fields of the dialog, by what is filled in. */
function useFields(pending: DialogState): (values: Record<string, string>) => DialogField[] {
  const { t } = useText();
  const candidateText = useCandidateText();
  const reason = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  if (pending.action === 'refuse') return () => [reason];
  const { transactions } = pending.action === 'decide' ? pending.match : pending.report;
  const reports = pending.action === 'decide' ? pending.match.reports : [];
  // A report of a booked reference is of that transaction: no other decision on it would be accepted.
  const isBooked =
    pending.action === 'decide' && transactions[0]?.bankReference === pending.match.bankReference;
  const none = pending.action === 'credit' ? t('reports.manual') : t('matches.own');
  const transaction = {
    name: 'transaction',
    label: pending.action === 'credit' ? t('reports.transaction') : t('matches.is'),
    value: pending.action === 'decide' ? likelyVerdict(pending.match) : ownTransaction(pending.report),
    least: 1,
    placeholder: t('reports.choose'),
    options: [
      ...transactions.map((one) => ({ value: one.id, label: candidateText(one) })),
      ...reports.map(({ id, member, createdAt }) => ({
        value: REPORT + id,
        label: t('matches.report', { member: member.name, time: dateTimeText(createdAt) }),
      })),
      ...(isBooked ? [] : [{ value: NO_TRANSACTION, label: none }]),
    ],
  };
  if (pending.action === 'decide') {
    const member = isBooked ? [] : [memberField(t('matches.member'), pending.match)];
    return () => [transaction, ...member, reason];
  }
  return (values) => {
    const chosen = pending.report.transactions.find(({ id }) => id === values.transaction);
    const warning = chosen && bookingsField(() => <Bookings of={chosen.bookings} />);
    return [transaction, ...(warning ? [warning] : []), reason];
  };
}

/** The owner of a separate transfer; unmatched while none is chosen. */
const memberField = (label: string, match: AmbiguousMatch): DialogField => ({
  name: 'member',
  label,
  draw: (value, onChange) => (
    <MemberField
      label={label}
      value={value}
      onChange={onChange}
      amount={match.amount}
      currency={match.currency}
      typed={match.payerAccount}
      isOptional
    />
  ),
});

function Question({ pending, onClose }: { pending: DialogState; onClose: () => void }) {
  const { t } = useText();
  const fields = useFields(pending);
  const send = useSend(pending);
  const titles = { credit: t('reports.credit'), refuse: t('reports.refuse'), decide: t('matches.decide') };
  const subject = pending.action === 'decide' ? pending.match : pending.report;
  const about =
    pending.action === 'decide'
      ? `${labelOf(t, 'type', pending.match.bankCode)} ${pending.match.bankReference} · ${pending.match.payerName ?? '–'} ${pending.match.payerAccount}`
      : `${pending.report.member.name} · ${pending.report.id}`;
  return (
    <ActionDialog
      title={titles[pending.action]}
      yes={titles[pending.action]}
      isDangerous={pending.action === 'refuse'}
      fields={fields}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={subject.amount} currency={subject.currency} size={26} />
        <Text size="sm">{about}</Text>
      </Stack>
      {pending.action === 'credit' && <CreditedBefore of={pending.report} />}
    </ActionDialog>
  );
}

const assign = (id: string) => api('POST /api/operator/reports/{id}/claim', { params: { id } });

/** The actions on many reports: each is assigned to the operator and refused. */
export function useReportRowActions(): RowAction<Report>[] {
  const { t } = useText();
  return [
    {
      label: t('reports.refuse'),
      isDangerous: true,
      fields: [{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }],
      refusalOf: ({ state, approval, assignment }) => {
        if (state !== 'PENDING') return { code: 'ROW_CHANGED', state };
        if (approval) return { code: 'APPROVAL_PENDING' };
        return assignment && !assignment.mine ? { code: 'CLAIMED', by: assignment.by } : null;
      },
      perform: async ({ id, assignment }, { reason = '' }) => {
        if (!assignment?.mine) await assign(id);
        const body = { reason: reason.trim() };
        return (await api('POST /api/operator/reports/{id}/refuse', { params: { id }, body })).state;
      },
    },
  ];
}

/** Takes the row first; the assigned operator may settle it. */
export function useSettling() {
  const notice = useNotice();
  const [pending, setDialog] = useState<DialogState | null>(null);
  const begin = useNewest();
  const openDialog = async (intent: DialogState) => {
    const isNewest = begin();
    try {
      if (intent.action === 'decide') {
        const params = { id: intent.match.id };
        if (!intent.match.assignment?.mine) await api('POST /api/operator/doubts/{id}/claim', { params });
      } else if (!intent.report.assignment?.mine) await assign(intent.report.id);
      if (isNewest()) setDialog(intent);
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  const subject = pending && (pending.action === 'decide' ? pending.match : pending.report);
  return {
    openDialog,
    dialog: pending && (
      <Question key={`${pending.action} ${subject?.id}`} pending={pending} onClose={() => setDialog(null)} />
    ),
  };
}
export type Settling = ReturnType<typeof useSettling>;

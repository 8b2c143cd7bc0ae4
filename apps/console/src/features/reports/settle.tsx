import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Ask, type AskField } from '../../components/ask.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { wordOf } from '../../platform/error-text.ts';

export type Report = Reply<'GET /api/operator/reports'>['reports'][number];
export type AmbiguousMatch = Reply<'GET /api/operator/doubts'>['ambiguousMatches'][number];
type Candidate = Report['transactions'][number];
type Asked = { action: 'credit' | 'refuse'; report: Report } | { action: 'decide'; match: AmbiguousMatch };

const readAgain = () =>
  Promise.all(
    ['reports', 'doubts', 'unmatched', 'today'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  );
/** Chosen where no transaction is meant. */
const NO_TRANSACTION = 'none';

/** A bank transaction in one line of text, for a list to choose from. */
function useCandidateText() {
  const { t } = useText();
  return (transaction: Candidate) =>
    [
      `${wordOf(t, 'type', transaction.bankCode)} ${transaction.bankReference}`,
      `${transaction.payerBank} ${transaction.payerAccount}`,
      dateTimeText(transaction.paidAt),
      transaction.likely?.name ?? wordOf(t, 'state', transaction.state),
    ].join(' · ');
}

/** Sends the action, says what became of it, and reads the lists anew. */
function useSend(asked: Asked) {
  const { t } = useText();
  const notice = useNotice();
  const perform = async (values: Record<string, string>) => {
    const reason = values.reason?.trim() ?? '';
    const transaction =
      values.transaction === NO_TRANSACTION ? {} : { transaction: values.transaction ?? '' };
    if (asked.action === 'decide') {
      const member = values.member?.trim();
      const body =
        'transaction' in transaction ? { reason, ...transaction } : { reason, ...(member ? { member } : {}) };
      return api('POST /api/operator/doubts/{id}/decide', { params: { id: asked.match.id }, body });
    }
    const params = { id: asked.report.id };
    return asked.action === 'credit'
      ? api('POST /api/operator/reports/{id}/credit', { params, body: { reason, ...transaction } })
      : api('POST /api/operator/reports/{id}/refuse', { params, body: { reason } });
  };
  return async (values: Record<string, string>) => {
    try {
      const { state, approval } = await perform(values);
      notice.say(approval ? t('approval.asked') : t('reports.done', { state: wordOf(t, 'state', state) }));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
}

/** The transaction that is likely this member's; none is chosen while it may be somebody else's money. */
const ownTransaction = ({ transactions, member, credits }: Report): string =>
  transactions.find(({ likely }) => likely?.id === member.id)?.id ??
  (transactions.length === 0 && credits.length === 0 ? NO_TRANSACTION : '');

/** Says that the member has the reported amount already, and which deposits it may be. */
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

function useFields(asked: Asked): AskField[] {
  const { t } = useText();
  const candidateText = useCandidateText();
  const reason = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  if (asked.action === 'refuse') return [reason];
  const { transactions } = asked.action === 'decide' ? asked.match : asked.report;
  // A report of a booked reference is of that transaction: no other decision on it would be accepted.
  const isBooked = asked.action === 'decide' && transactions[0]?.bankReference === asked.match.bankReference;
  const none = asked.action === 'credit' ? t('reports.byHand') : t('doubts.own');
  const transaction = {
    name: 'transaction',
    label: asked.action === 'credit' ? t('reports.transaction') : t('doubts.is'),
    value: asked.action === 'decide' ? (transactions[0]?.id ?? NO_TRANSACTION) : ownTransaction(asked.report),
    least: 1,
    placeholder: t('reports.choose'),
    options: [
      ...transactions.map((one) => ({ value: one.id, label: candidateText(one) })),
      ...(isBooked ? [] : [{ value: NO_TRANSACTION, label: none }]),
    ],
  };
  return asked.action === 'credit' || isBooked
    ? [transaction, reason]
    : [transaction, { name: 'member', label: t('doubts.member') }, reason];
}

function Question({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { t } = useText();
  const fields = useFields(asked);
  const send = useSend(asked);
  const titles = { credit: t('reports.credit'), refuse: t('reports.refuse'), decide: t('doubts.decide') };
  const subject = asked.action === 'decide' ? asked.match : asked.report;
  const about =
    asked.action === 'decide'
      ? `${wordOf(t, 'type', asked.match.bankCode)} ${asked.match.bankReference} · ${asked.match.payerName ?? '–'} ${asked.match.payerAccount}`
      : `${asked.report.member.name} · ${asked.report.id}`;
  return (
    <Ask
      title={titles[asked.action]}
      yes={titles[asked.action]}
      isDangerous={asked.action === 'refuse'}
      fields={fields}
      onYes={send}
      onClose={onClose}
    >
      <Stack gap={2}>
        <Money amount={subject.amount} currency={subject.currency} size={26} />
        <Text size="sm">{about}</Text>
      </Stack>
      {asked.action === 'credit' && <CreditedBefore of={asked.report} />}
    </Ask>
  );
}

/** Takes the row first; whoever has it may settle it. */
export function useSettling() {
  const notice = useNotice();
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = async (intent: Asked) => {
    try {
      if (intent.action === 'decide') {
        const params = { id: intent.match.id };
        if (!intent.match.assignment?.mine) await api('POST /api/operator/doubts/{id}/claim', { params });
      } else if (!intent.report.assignment?.mine)
        await api('POST /api/operator/reports/{id}/claim', { params: { id: intent.report.id } });
      setAsked(intent);
    } catch (error) {
      notice.complain(error);
    }
    void readAgain();
  };
  return { ask, dialog: asked && <Question asked={asked} onClose={() => setAsked(null)} /> };
}
export type Settling = ReturnType<typeof useSettling>;

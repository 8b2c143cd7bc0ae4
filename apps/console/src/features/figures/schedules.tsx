import type { ReportPeriod, SentReport } from '@krapao/contract/operator';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Group, Loader, Paper, SegmentedControl, Stack, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, type Body, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { type SingleCall, useSingleCall } from '../../platform/single-call.ts';
import { useSend } from '../../platform/use-send.ts';

type Schedule = Reply<'GET /api/operator/report-schedules'>['schedules'][number];
type Draft = Omit<Body<'POST /api/operator/report-schedules'>, 'report' | 'language'>;

const PERIODS: readonly ReportPeriod[] = ['DAY', 'WEEK', 'MONTH'];
const FORMATS = ['xlsx', 'csv'] as const;
const RECIPIENTS_MAX = 10;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

interface RowProps {
  of: Schedule;
  canChange: boolean;
  hasMail: boolean;
  /** The one call of the dialog that may be under way. */
  call: SingleCall;
}

function Row({ of: row, canChange, hasMail, call: { isBusy, run } }: RowProps) {
  const { t } = useText();
  const notice = useNotice();
  const send = useSend(['schedules']);
  const params = { id: row.id };
  const sendNow = async () => {
    await send(() => api('POST /api/operator/report-schedules/{id}/send', { params }));
    notice.say(t('schedules.sending'));
  };
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Text size="sm" fw={600}>
            {[t(`figures.${row.report}`), t(`schedules.${row.period}`), row.format.toUpperCase()].join(' · ')}
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {row.recipients.join(', ')}
          </Text>
          <Text size="xs" c="dimmed">
            {[
              t('schedules.next', { time: dateTimeText(row.dueAt) }),
              row.sentAt && t('schedules.sent', { time: dateTimeText(row.sentAt) }),
              row.by,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {row.failure && (
            <Text size="xs" c="var(--bad)" style={{ overflowWrap: 'anywhere' }}>
              {row.failure === 'UNAUTHORIZED'
                ? t('schedules.notAllowed', { name: row.by })
                : t('schedules.failed', { reason: row.failure })}
            </Text>
          )}
        </Stack>
        {canChange && (
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              disabled={!hasMail || isBusy}
              title={hasMail ? undefined : t('error.NO_MAIL')}
              onClick={() => run(sendNow)}
            >
              {t('schedules.sendNow')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={isBusy}
              onClick={() =>
                run(() => send(() => api('POST /api/operator/report-schedules/{id}/remove', { params })))
              }
            >
              {t('chats.remove')}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}

function Form({ report, call: { isBusy, run } }: { report: SentReport; call: SingleCall }) {
  const { t, language } = useText();
  const send = useSend(['schedules']);
  const [draft, setDraft] = useState<Draft>({ format: 'xlsx', period: 'DAY', recipients: [] });
  const isGood = draft.recipients.length > 0 && draft.recipients.every((address) => ADDRESS.test(address));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isGood) return;
    const body = { report, language, ...draft };
    run(async () => {
      await send(() => api('POST /api/operator/report-schedules', { body }));
      // What was changed meanwhile stays.
      setDraft((now) => (now === draft ? { ...draft, recipients: [] } : now));
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text fw={600}>{t('schedules.add', { report: t(`figures.${report}`) })}</Text>
        <Group gap="sm">
          <SegmentedControl
            aria-label={t('schedules.period')}
            value={draft.period}
            data={PERIODS.map((value) => ({ value, label: t(`schedules.${value}`) }))}
            onChange={(period) => setDraft({ ...draft, period })}
          />
          <SegmentedControl
            aria-label={t('schedules.format')}
            value={draft.format}
            data={FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
            onChange={(format) => setDraft({ ...draft, format })}
          />
        </Group>
        <TagsInput
          label={t('schedules.recipients')}
          description={t('chats.tagsNote')}
          type="email"
          maxTags={RECIPIENTS_MAX}
          value={draft.recipients}
          onChange={(recipients) => setDraft({ ...draft, recipients })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={!isGood}>
            {t('schedules.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The reports that are sent by e-mail, and the form that sends the one that is shown. */
export function Schedules({ report, onClose }: { report: SentReport | null; onClose: () => void }) {
  const { t } = useText();
  const canChange = may(useMe(), 'export.read');
  const call = useSingleCall();
  const list = useQuery({
    queryKey: ['schedules'],
    queryFn: () => api('GET /api/operator/report-schedules'),
  });
  return (
    <Dialog onClose={onClose} size="lg" title={t('schedules.title')} isLocked={call.isBusy}>
      <Stack>
        {list.isPending && <Loader size="sm" />}
        <ReadError of={list} />
        {list.data && !list.data.hasMail && <Alert color="yellow">{t('schedules.noMail')}</Alert>}
        {list.data?.schedules.length === 0 && <Text c="dimmed">{t('schedules.none')}</Text>}
        {list.data?.schedules.map((row) => (
          <Row key={row.id} of={row} canChange={canChange} hasMail={list.data.hasMail} call={call} />
        ))}
        {list.data && canChange && report && <Form key={report} report={report} call={call} />}
      </Stack>
    </Dialog>
  );
}

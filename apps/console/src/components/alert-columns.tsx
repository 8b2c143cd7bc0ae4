import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { actorText } from '../platform/actor-text.ts';
import { alertDetail, alertText } from '../platform/alert-text.ts';
import { type AlertActions, AlertButtons } from './alert-actions.tsx';
import { type Alert, Dismissed } from './alert-dismissed.tsx';
import { State, Waiting } from './cells.tsx';
import type { Column } from './column.ts';
import { SubjectLink } from './subject-link.tsx';

function What({ of: alert }: { of: Alert }) {
  const { t } = useText();
  const detail = alertDetail(t, alert);
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {alertText(t, alert.kind)}
      </Text>
      {detail && <Text size="sm">{detail}</Text>}
      <Dismissed of={alert} />
    </Stack>
  );
}

/** How far it is: who investigates it, or how it ended. */
function Progress({ of: alert }: { of: Alert }) {
  const { t } = useText();
  const who = alert.closedBy ? actorText(t, alert.closedBy) : alert.assignee?.by;
  return (
    <Stack gap={2} maw={320}>
      <State of={alert.state} />
      {who && (
        <Text size="xs" fw={alert.assignee?.mine && !alert.closedAt ? 700 : 400}>
          {alert.closedAt ? `${who} · ${dateTimeText(alert.closedAt)}` : who}
        </Text>
      )}
      {alert.closedAt && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {alert.reason ?? (alert.closedBy === 'system' ? t('alerts.causeGone') : '')}
        </Text>
      )}
    </Stack>
  );
}

/** The columns of a list of alerts. */
export function useAlertColumns(actions: AlertActions): Column<Alert>[] {
  const { t } = useText();
  return [
    {
      id: 'age',
      sort: 'openedAt',
      head: t('col.age'),
      cell: (row) => <Waiting since={row.openedAt} isWaiting={!row.closedAt} />,
    },
    { id: 'what', head: t('col.why'), cell: (row) => <What of={row} /> },
    { id: 'subject', head: t('col.subject'), cell: (row) => <SubjectLink of={row.subject} /> },
    { id: 'state', head: t('col.state'), cell: (row) => <Progress of={row} /> },
    { id: 'actions', head: '', cell: (row) => <AlertButtons of={row} actions={actions} /> },
  ];
}

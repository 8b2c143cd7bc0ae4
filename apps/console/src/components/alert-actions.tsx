import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { alertText } from '../platform/alert-text.ts';
import { api } from '../platform/api.ts';
import { may, useMe } from '../platform/me.ts';
import { useSend } from '../platform/use-send.ts';
import { ActionDialog } from './action-dialog.tsx';
import { type Alert, Dismissed } from './alert-dismissed.tsx';

type Ending = 'resolve' | 'dismiss';

export type AlertActions = ReturnType<typeof useAlertActions>;

const isOver = (alert: Alert): boolean => alert.closedAt !== null;
const isOthers = (alert: Alert): boolean => alert.assignee !== null && !alert.assignee.mine;

/** The actions of an operator on alerts: take, release, end with a reason. */
export function useAlertActions() {
  const send = useSend(['alerts']);
  const mayHandle = may(useMe(), 'alert.close');
  const [question, setQuestion] = useState<{ alert: Alert; ending: Ending | 'takeOver' } | null>(null);
  const quietly = (work: () => Promise<unknown>) => void send(work).catch(() => undefined);
  const canHandle = (alert: Alert) => mayHandle && !isOver(alert);
  return {
    canHandle,
    /** Takes an unassigned alert, releases one's own, confirms before taking over another operator's. */
    take(alert: Alert) {
      if (!canHandle(alert)) return;
      const params = { id: alert.id };
      if (isOthers(alert)) setQuestion({ alert, ending: 'takeOver' });
      else if (alert.assignee) quietly(() => api('POST /api/operator/alerts/{id}/release', { params }));
      else quietly(() => api('POST /api/operator/alerts/{id}/take', { params, body: {} }));
    },
    end(alert: Alert, ending: Ending) {
      if (canHandle(alert)) setQuestion({ alert, ending: isOthers(alert) ? 'takeOver' : ending });
    },
    dialog: question && <Question {...question} send={send} onClose={() => setQuestion(null)} />,
  };
}

interface QuestionProps {
  alert: Alert;
  ending: Ending | 'takeOver';
  send: ReturnType<typeof useSend>;
  onClose: () => void;
}

function Question({ alert, ending, send, onClose }: QuestionProps) {
  const { t } = useText();
  const params = { id: alert.id };
  const title = t(`alerts.${ending}`);
  if (ending === 'takeOver') {
    const from = alert.assignee?.by ?? '';
    return (
      <ActionDialog
        title={title}
        yes={title}
        onYes={() => send(() => api('POST /api/operator/alerts/{id}/take', { params, body: { from } }))}
        onClose={onClose}
      >
        {t('alerts.takeOverFrom', { by: from })}
      </ActionDialog>
    );
  }
  const end = (reason: string) =>
    ending === 'resolve'
      ? api('POST /api/operator/alerts/{id}/resolve', { params, body: { reason } })
      : api('POST /api/operator/alerts/{id}/dismiss', { params, body: { reason } });
  return (
    <ActionDialog
      title={`${title} · ${alertText(t, alert.kind)}`}
      yes={title}
      fields={[{ name: 'reason', label: t(`alerts.${ending}Reason`), rows: 2, least: 3 }]}
      onYes={(values) => send(() => end(values.reason?.trim() ?? ''))}
      onClose={onClose}
    >
      <Dismissed of={alert} />
    </ActionDialog>
  );
}

/** The buttons of one alert. */
export function AlertButtons({ of: alert, actions }: { of: Alert; actions: AlertActions }) {
  const { t } = useText();
  if (!actions.canHandle(alert)) return null;
  const take = isOthers(alert) ? 'takeOver' : alert.assignee ? 'release' : 'take';
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        {...(take !== 'take' && { variant: 'default' })}
        onClick={() => actions.take(alert)}
      >
        {t(`alerts.${take}`)}
      </Button>
      {!isOthers(alert) && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => actions.end(alert, 'resolve')}>
            {t('alerts.resolve')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => actions.end(alert, 'dismiss')}>
            {t('alerts.dismiss')}
          </Button>
        </>
      )}
    </Group>
  );
}

import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { alertText } from '../platform/alert-text.ts';
import { api } from '../platform/api.ts';
import { may, useMe } from '../platform/me.ts';
import { useSend } from '../platform/use-send.ts';
import { ActionDialog } from './action-dialog.tsx';
import { type Alert, Dismissed } from './alert-dismissed.tsx';
import type { RowAction, RowRefusal } from './row-actions.tsx';

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

/** The actions on many alerts. */
export function useAlertRowActions(): RowAction<Alert>[] {
  const { t } = useText();
  const refusalOf = (alert: Alert): RowRefusal | null => {
    if (isOver(alert)) return { code: 'ROW_CHANGED', state: alert.state };
    return isOthers(alert) ? { code: 'CLAIMED', by: alert.assignee?.by } : null;
  };
  const ending = (end: Ending, state: string): RowAction<Alert> => ({
    label: t(`alerts.${end}`),
    fields: [{ name: 'reason', label: t(`alerts.${end}Reason`), rows: 2, least: 3 }],
    refusalOf,
    perform: async ({ id }, { reason = '' }) => {
      await endAlert(id, end, reason);
      return state;
    },
  });
  return [
    {
      label: t('alerts.take'),
      refusalOf,
      perform: async ({ id }) => {
        await api('POST /api/operator/alerts/{id}/take', { params: { id }, body: {} });
        return 'INVESTIGATING';
      },
    },
    ending('resolve', 'RESOLVED'),
    ending('dismiss', 'DISMISSED'),
  ];
}

function endAlert(id: string, ending: Ending, text: string): Promise<unknown> {
  const [params, body] = [{ id }, { reason: text.trim() }];
  return ending === 'resolve'
    ? api('POST /api/operator/alerts/{id}/resolve', { params, body })
    : api('POST /api/operator/alerts/{id}/dismiss', { params, body });
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
  return (
    <ActionDialog
      title={`${title} · ${alertText(t, alert.kind)}`}
      yes={title}
      fields={[{ name: 'reason', label: t(`alerts.${ending}Reason`), rows: 2, least: 3 }]}
      onYes={(values) => send(() => endAlert(alert.id, ending, values.reason ?? ''))}
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

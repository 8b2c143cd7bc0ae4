import { useText } from '@krapao/ui/text/text.tsx';
import { Input, Text } from '@mantine/core';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { DayField } from '../../components/day-field.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { useGo } from '../../platform/paths.ts';
import type { Endpoint } from './types.ts';

export type Question = 'enable' | 'disable' | 'rotate' | 'replay' | 'remove';

interface QuestionProps {
  question: Question;
  endpoint: Endpoint;
  onSecret: (secret: string) => void;
  onClose: () => void;
}

const REPLAYED = {
  missed: ['GIVEN_UP', 'SKIPPED'],
  all: ['DELIVERED', 'GIVEN_UP', 'SKIPPED'],
} as const satisfies Record<string, readonly string[]>;

/** Carries out a confirmed action on an endpoint; a refusal is shown and keeps the dialog open. */
function useSend({ question, endpoint: { id }, onSecret }: QuestionProps) {
  const { t } = useText();
  const notice = useNotice();
  const go = useGo();
  const params = { id };
  const send = async (values: Record<string, string>): Promise<string> => {
    const { reason = '', from = '', to = '', which } = values;
    switch (question) {
      case 'enable':
      case 'disable': {
        const state = question === 'enable' ? 'ENABLED' : 'DISABLED';
        await api('POST /api/operator/webhooks/{id}/state', { params, body: { state, reason } });
        return t('webhook.done');
      }
      case 'rotate': {
        const { secret } = await api('POST /api/operator/webhooks/{id}/secret', { params, body: { reason } });
        onSecret(secret);
        return t('webhook.done');
      }
      case 'replay': {
        const states = [...REPLAYED[which === 'all' ? 'all' : 'missed']];
        const range = timesOfDays(from, to) as { from: string; to: string };
        const { replayed } = await api('POST /api/operator/webhooks/{id}/replay', {
          params,
          body: { ...range, states, reason },
        });
        return t('webhook.replayed', { count: replayed });
      }
      case 'remove':
        await api('POST /api/operator/webhooks/{id}/remove', { params, body: { reason } });
        go('/webhooks');
        return t('webhook.done');
    }
  };
  return async (values: Record<string, string>) => {
    try {
      notice.say(await send(values));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
    }
  };
}

function useFields(question: Question): DialogField[] {
  const { t } = useText();
  const day = (name: string, label: string): DialogField => ({
    name,
    label,
    least: 1,
    draw: (value, onChange) => (
      <Input.Wrapper label={label} withAsterisk>
        <DayField label={label} value={value} onChange={onChange} />
      </Input.Wrapper>
    ),
  });
  const reason: DialogField = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  if (question !== 'replay') return [reason];
  const which: DialogField = {
    name: 'which',
    label: t('webhook.replayWhich'),
    value: 'missed',
    options: [
      { value: 'missed', label: t('webhook.replay-missed') },
      { value: 'all', label: t('webhook.replay-all') },
    ],
  };
  return [day('from', t('days.from')), day('to', t('days.to')), which, reason];
}

/** Confirms an action on an endpoint before it runs. */
export function EndpointQuestion(props: QuestionProps) {
  const { t } = useText();
  const { question, endpoint, onClose } = props;
  return (
    <ActionDialog
      title={`${t(`webhook.${question}`)} · ${endpoint.description}`}
      yes={t(`webhook.${question}`)}
      fields={useFields(question)}
      isDangerous={question === 'remove'}
      onYes={useSend(props)}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t(`webhook.${question}Note`)}
      </Text>
    </ActionDialog>
  );
}

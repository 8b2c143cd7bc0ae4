import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, Clock } from 'lucide';
import { Tag } from '../../components/cells.tsx';
import { labelOf } from '../../platform/error-text.ts';
import type { Delivery, Endpoint } from './types.ts';

const ENDPOINT_TONES = {
  ENABLED: ['ok', CircleCheck],
  FAILING: ['warn', CircleAlert],
  DISABLED: ['ink-2', CircleDashed],
} as const;

/** Whether an endpoint is sent to and how it fares, with the reason where it is not well. */
export function EndpointState({ of }: { of: Endpoint }) {
  const { t } = useText();
  const state = of.state === 'ENABLED' && of.failingSince ? 'FAILING' : of.state;
  const [tone, icon] = ENDPOINT_TONES[state];
  const why =
    of.disabledReason !== null
      ? ['FAILING', 'GONE'].includes(of.disabledReason)
        ? t(`webhook.disabled-${of.disabledReason as 'FAILING' | 'GONE'}`)
        : of.disabledReason
      : of.failingSince && t('webhook.failingSince', { at: dateTimeText(of.failingSince) });
  return (
    <Stack gap={2} align="flex-start">
      <Tag tone={tone} icon={icon}>
        {t(`webhook.is-${state}`)}
      </Tag>
      {why && (
        <Text size="xs" c="dimmed" maw={220} style={{ overflowWrap: 'anywhere' }}>
          {why}
        </Text>
      )}
    </Stack>
  );
}

const DELIVERY_TONES = {
  WAITING: ['warn', Clock],
  DELIVERED: ['ok', CircleCheck],
  GIVEN_UP: ['bad', CircleAlert],
  SKIPPED: ['ink-2', CircleDashed],
} as const;

/** What became of a delivery; while it waits, until when. */
export function DeliveryState({ of }: { of: Delivery }) {
  const { t } = useText();
  const [tone, icon] = DELIVERY_TONES[of.state];
  const isPast = of.nextAt !== null && Date.parse(of.nextAt) <= Date.now();
  return (
    <Stack gap={2} align="flex-start">
      <Tag tone={tone} icon={icon}>
        {t(`webhookState.${of.state}`)}
      </Tag>
      {of.state === 'WAITING' && !isPast && (
        <Text size="xs" c="dimmed">
          {of.nextAt ? t('webhook.nextAt', { at: dateTimeText(of.nextAt) }) : t('webhook.behind')}
        </Text>
      )}
    </Stack>
  );
}

/** What an attempt brought back: the status, or why there is none, and how long it took. */
export function ResponseText({
  of: { status, failure, latencyMs },
}: {
  of: Pick<Delivery, 'status' | 'failure' | 'latencyMs'>;
}) {
  const { t } = useText();
  if (latencyMs === null) return <Text size="sm">{'–'}</Text>;
  const what = status ?? (failure ? labelOf(t, 'webhookFailure', failure) : t('webhook.noResponse'));
  return (
    <Stack gap={0}>
      <Text size="sm">{what}</Text>
      <Text size="xs" c="dimmed">
        {t('webhook.latency', { ms: latencyMs })}
      </Text>
    </Stack>
  );
}

import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { actorText } from '../platform/actor-text.ts';
import type { Reply } from '../platform/api.ts';

export type Alert = Reply<'GET /api/operator/alerts'>['alerts'][number];

/** Why the same rule about the same subject was dismissed before, and the operator. */
export function Dismissed({ of: { dismissed } }: { of: Alert }) {
  const { t } = useText();
  if (!dismissed) return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {t('alerts.dismissedBefore', {
        reason: dismissed.reason,
        by: actorText(t, dismissed.by),
        at: dateTimeText(dismissed.at),
      })}
    </Text>
  );
}

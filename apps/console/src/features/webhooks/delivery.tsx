import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Code, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { When } from '../../components/cells.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, queries } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { DeliveryState, ResponseText } from './state.tsx';

const REFETCH_MS = 3_000;

/** The body as a reader sees it. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

const WRAPPED = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

/** One delivery: its body, every attempt with its response, and a resend. */
export function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const canManage = may(useMe(), 'webhook.manage');
  const found = useQuery({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: () => api('GET /api/operator/webhook-deliveries/{id}', { params: { id } }),
    refetchInterval: REFETCH_MS,
  });
  const resending = useSingleCall();
  const again = async () => {
    await api('POST /api/operator/webhook-deliveries/{id}/replay', { params: { id } }).then(
      () => notice.say(t('webhook.againDone')),
      notice.complain,
    );
    await queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  const { delivery, body, attempts = [] } = found.data ?? {};
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={delivery ? labelOf(t, 'webhookEvent', delivery.type) : ''}
      isLocked={resending.isBusy}
    >
      <ReadError of={found} />
      {delivery && body && (
        <Stack>
          <Group justify="space-between" align="flex-start">
            <DeliveryState of={delivery} />
            {canManage && delivery.state !== 'WAITING' && (
              <Button
                variant="default"
                size="compact-md"
                loading={resending.isBusy}
                onClick={() => resending.run(again)}
              >
                {t('webhook.again')}
              </Button>
            )}
          </Group>
          {attempts.length > 0 && (
            <Title order={3} size="h6">
              {t('webhook.tried')}
            </Title>
          )}
          {attempts.map((attempt) => (
            <Stack key={attempt.at} gap={4}>
              <Group justify="space-between" align="flex-start">
                <When at={attempt.at} />
                <ResponseText of={attempt} />
              </Group>
              {attempt.response && (
                <Code block style={WRAPPED}>
                  {attempt.response}
                </Code>
              )}
            </Stack>
          ))}
          <Title order={3} size="h6">
            {t('webhook.body')}
          </Title>
          <Code block style={WRAPPED}>
            {indented(body)}
          </Code>
        </Stack>
      )}
    </Dialog>
  );
}

import { timeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNotice } from '../../components/notice.tsx';
import { api } from '../../platform/api.ts';

/** Queries a provider for a player who does not exist, and shows the outcome. */
export function ConnectionTest({ provider, agent }: { provider: string; agent: string }) {
  const { t } = useText();
  const notice = useNotice();
  const test = useMutation({
    mutationFn: () => api('POST /api/operator/game-test', { body: { provider, agent } }),
    onError: notice.complain,
  });
  const result = test.data;
  return (
    <>
      <Group gap="sm">
        <Button
          variant="default"
          disabled={provider === '' || agent === ''}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('games.test')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('games.testMore')}
        </Text>
      </Group>
      {result && (
        <Text role="status" size="sm" fw={600} c={result.outcome === 'REACHED' ? 'var(--ok)' : 'var(--bad)'}>
          {t(`games.tested-${result.outcome}`, {
            detail: result.detail,
            milliseconds: result.milliseconds.toLocaleString('en'),
            at: timeText(result.at),
          })}
        </Text>
      )}
    </>
  );
}

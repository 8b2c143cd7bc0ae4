import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { errorText } from '../platform/error-text.ts';

/**
 * Why the latest reading failed, with a button that reads again; nothing while there is no error. It stands beside what
 * was read before: a failed reading takes nothing from the page.
 */
export function ReadError({
  of: { error, refetch, isFetching },
}: {
  of: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
}) {
  const { t } = useText();
  if (!error) return null;
  return (
    <Group gap="md">
      <Text role="alert" size="sm" c="var(--bad)">
        {errorText(t, error)}
      </Text>
      <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
        {t('btn.retry')}
      </Button>
    </Group>
  );
}

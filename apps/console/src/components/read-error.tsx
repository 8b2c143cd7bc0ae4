import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { errorText } from '../platform/error-text.ts';

/** What a reading's error is drawn from. */
export type Reading = Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;

/**
 * Why the latest reading failed, with a button that reads again; nothing while there is no error. It stands beside what
 * was read before: a failed reading takes nothing from the page.
 */
export function ReadError({ of: { error, refetch, isFetching } }: { of: Reading }) {
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

/** A card whose content could not be read; nothing while there is no error. */
export function ReadErrorCard({ title, of }: { title: string; of: Reading }) {
  if (!of.error) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h6">
          {title}
        </Title>
        <ReadError of={of} />
      </Stack>
    </Paper>
  );
}

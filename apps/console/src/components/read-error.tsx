import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Text } from '@mantine/core';
import { errorText } from '../platform/error-text.ts';

/** Why something could not be read, with a button that reads it again. */
export function ReadError({ of: error, onRetry }: { of: unknown; onRetry: () => void }) {
  const { t } = useText();
  return (
    <Group gap="md">
      <Text role="alert" c="var(--bad)">
        {errorText(t, error)}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        {t('btn.retry')}
      </Button>
    </Group>
  );
}

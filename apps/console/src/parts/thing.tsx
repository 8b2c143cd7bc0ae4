import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { wordOf } from '../platform/error-text.ts';

/** What it was done to: its kind, and which one. */
export function Thing({ of: thing }: { of: string }) {
  const { t } = useText();
  const [kind = '', ...id] = thing.split(':');
  return (
    <Stack gap={0}>
      <Text size="sm">{wordOf(t, 'type', kind)}</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {id.join(':')}
      </Text>
    </Stack>
  );
}

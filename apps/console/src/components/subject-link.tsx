import { useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { wordOf } from '../platform/error-text.ts';

/** Kinds whose subjects have names of their own. */
const NAMED: Record<string, readonly string[]> = {
  room: ['nav', 'reports'],
  export: ['nav', 'reports'],
  setting: ['setting'],
  role: ['role'],
  provider: ['provider'],
};

/** What it was done to: its kind, and which one. */
export function SubjectLink({ of: subject }: { of: string }) {
  const { t } = useText();
  const [kind = '', ...id] = subject.split(':');
  const nameOf = (code: string): string =>
    (NAMED[kind] ?? []).map((family) => wordOf(t, family, code)).find((word) => word !== code) ?? code;
  return (
    <Stack gap={0}>
      <Text size="sm">{wordOf(t, 'type', kind)}</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {nameOf(id.join(':'))}
      </Text>
    </Stack>
  );
}

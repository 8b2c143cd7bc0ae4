import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { EditedVersion } from '../platform/edited-version.ts';

/** Below the header, wherever in a long editor one is. */
const ALWAYS_SEEN = {
  position: 'sticky',
  top: 'calc(var(--app-shell-header-height) + 8px)',
  zIndex: 2,
} as const;

/** Says above an editor with changes that a newer version exists, and offers to discard the changes for it. */
export function NewerVersion({
  of: { isOutdated, setChanged },
}: {
  of: Pick<EditedVersion<unknown>, 'isOutdated' | 'setChanged'>;
}) {
  const { t } = useText();
  if (!isOutdated) return null;
  return (
    <Alert color="yellow" style={ALWAYS_SEEN}>
      <Group justify="space-between" wrap="wrap">
        <Text size="sm">{t('edit.newer')}</Text>
        <Button size="compact-md" variant="default" onClick={() => setChanged(false)}>
          {t('edit.showNewer')}
        </Button>
      </Group>
    </Alert>
  );
}

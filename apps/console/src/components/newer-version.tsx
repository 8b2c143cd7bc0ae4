import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { EditedVersion } from '../platform/edited-version.ts';

/** Says above an editor with changes that a newer version exists, and offers to discard the changes for it. */
export function NewerVersion({
  of: { isOutdated, setChanged },
}: {
  of: Pick<EditedVersion<unknown>, 'isOutdated' | 'setChanged'>;
}) {
  const { t } = useText();
  if (!isOutdated) return null;
  return (
    <Alert color="yellow">
      <Group justify="space-between" wrap="wrap">
        <Text size="sm">{t('edit.newer')}</Text>
        <Button size="compact-md" variant="default" onClick={() => setChanged(false)}>
          {t('edit.showNewer')}
        </Button>
      </Group>
    </Alert>
  );
}

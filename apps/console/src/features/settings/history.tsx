import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../components/dialog.tsx';
import { Becomes } from '../../components/icons.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { type Setting, valueText } from './value.ts';

/**
 * What a setting was before, who changed it and why.
 * @param onBack requests an earlier value again; null without the permission
 */
export function SettingHistory({
  of: row,
  onBack,
  onClose,
}: {
  of: Setting;
  onBack: ((value: unknown) => void) | null;
  onClose: () => void;
}) {
  const { t } = useText();
  const params = { key: row.key };
  const list = useQuery({
    queryKey: ['settings', 'history', row.key],
    queryFn: () => api('GET /api/operator/settings/{key}/history', { params }),
  });
  return (
    <Dialog onClose={onClose} title={labelOf(t, 'setting', row.key)}>
      <Stack gap="xs">
        {list.isPending && <Loader size="sm" />}
        <ReadError of={list} />
        {list.data?.changes.length === 0 && <Text c="dimmed">{t('settings.neverChanged')}</Text>}
        {list.data?.changes.map((change) => (
          <Paper key={change.at} withBorder p="sm">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={600}>
                {valueText(t, row, change.before)} <Becomes /> {valueText(t, row, change.after)}
              </Text>
              {onBack && JSON.stringify(change.before) !== JSON.stringify(row.value) && (
                <Button size="compact-sm" variant="default" onClick={() => onBack(change.before)}>
                  {t('settings.back', { value: valueText(t, row, change.before) })}
                </Button>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              {[dateTimeText(change.at), change.actor.replace(/^(operator|cli):/, ''), change.reason]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Paper>
        ))}
      </Stack>
    </Dialog>
  );
}

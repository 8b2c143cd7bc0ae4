import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';

export type Provider = Reply<'GET /api/operator/games'>['providers'][number];

/** Puts all games of a provider under maintenance, or ends that. */
function ChangeProvider({ of: provider, onClose }: { of: Provider; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const isOpen = provider.state === 'OPEN';
  const action = isOpen ? t('games.stopProvider') : t('games.startProvider');
  const onYes = async ({ reason = '' }: Record<string, string>) => {
    const body = { state: isOpen ? 'MAINTENANCE' : 'OPEN', reason } as const;
    try {
      await api('PUT /api/operator/game-providers/{code}', { params: { code: provider.code }, body });
      notice.say(t('channel.saved'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['games'] });
    }
  };
  return (
    <ActionDialog
      title={`${labelOf(t, 'provider', provider.code)} · ${action}`}
      yes={action}
      isDangerous={isOpen}
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
      onYes={onYes}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {isOpen ? t('games.stopProviderNote') : t('games.startProviderNote')}
      </Text>
    </ActionDialog>
  );
}

/** The providers behind the games, each stopped and opened in one action. */
export function Providers({ of: providers }: { of: readonly Provider[] }) {
  const { t } = useText();
  const [dialog, setDialog] = useState<Provider | null>(null);
  const canManage = may(useMe(), 'setting.manage');
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {t('games.providers')}
      </Title>
      <Group gap="sm">
        {providers.map((provider) => (
          <Paper key={provider.code} withBorder p="sm">
            <Group gap="md" wrap="nowrap">
              <Stack gap={0}>
                <Text size="sm" fw={600}>
                  {labelOf(t, 'provider', provider.code)}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('games.providerGames', { count: provider.games })}
                </Text>
              </Stack>
              <Tag tone={provider.state === 'OPEN' ? 'ok' : 'warn'}>{t(`games.is-${provider.state}`)}</Tag>
              {canManage && (
                <Button size="compact-sm" variant="default" onClick={() => setDialog(provider)}>
                  {provider.state === 'OPEN' ? t('games.stopProvider') : t('games.startProvider')}
                </Button>
              )}
            </Group>
          </Paper>
        ))}
      </Group>
      {dialog && <ChangeProvider of={dialog} onClose={() => setDialog(null)} />}
    </Stack>
  );
}

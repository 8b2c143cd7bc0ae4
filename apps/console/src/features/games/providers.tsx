import { LANGUAGE_NAMES, LANGUAGES } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSend } from '../../platform/use-send.ts';
import { useProviderName } from './provider-name.ts';
import type { Provider } from './types.ts';

interface DialogProps {
  of: Provider;
  name: string;
  onClose: () => void;
}

/** Gives a provider names of its own, which operators read. */
function NameProvider({ of: provider, name, onClose }: DialogProps) {
  const { t } = useText();
  const send = useSend(['games']);
  const fields = [
    ...LANGUAGES.map((language) => ({
      name: language,
      label: t('games.providerName', { language: LANGUAGE_NAMES[language] }),
      value: provider.names[language],
    })),
    { name: 'reason', label: t('field.reason'), rows: 2, least: 3 },
  ];
  const onYes = ({ th = '', la = '', en = '', reason = '' }: Record<string, string>) =>
    send(() =>
      api('PUT /api/operator/game-providers/{code}/names', {
        params: { code: provider.code },
        body: { names: { th, la, en }, reason },
      }),
    );
  return (
    <ActionDialog
      title={`${name} · ${t('games.rename')}`}
      yes={t('channel.save')}
      fields={fields}
      onYes={onYes}
      onClose={onClose}
    />
  );
}

/** Puts all games of a provider under maintenance, or ends that. */
function ChangeProvider({ of: provider, name, onClose }: DialogProps) {
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
      title={`${name} · ${action}`}
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
  const [dialog, setDialog] = useState<{ action: 'name' | 'state'; of: Provider } | null>(null);
  const nameOf = useProviderName(providers);
  const canManage = may(useMe(), 'setting.manage');
  const shown = { name: dialog ? nameOf(dialog.of.code) : '', onClose: () => setDialog(null) };
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
                  {nameOf(provider.code)}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('games.providerGames', { count: provider.games })}
                </Text>
                {provider.missing.length > 0 && (
                  <Text size="xs" c="var(--bad)">
                    {t('games.missing', { names: provider.missing.join(', ') })}
                  </Text>
                )}
              </Stack>
              <Tag tone={provider.state === 'OPEN' ? 'ok' : 'warn'}>{t(`games.is-${provider.state}`)}</Tag>
              {canManage && (
                <>
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => setDialog({ action: 'state', of: provider })}
                  >
                    {provider.state === 'OPEN' ? t('games.stopProvider') : t('games.startProvider')}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${t('games.rename')} ${nameOf(provider.code)}`}
                    onClick={() => setDialog({ action: 'name', of: provider })}
                  >
                    {t('games.rename')}
                  </Button>
                </>
              )}
            </Group>
          </Paper>
        ))}
      </Group>
      {dialog?.action === 'state' && <ChangeProvider {...shown} of={dialog.of} />}
      {dialog?.action === 'name' && <NameProvider {...shown} of={dialog.of} />}
    </Stack>
  );
}

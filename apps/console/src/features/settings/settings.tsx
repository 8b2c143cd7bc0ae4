import { useText } from '@krapao/ui/text/text.tsx';
import {
  Button,
  Center,
  Group,
  Loader,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Power } from 'lucide';
import { useState } from 'react';
import { Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { focusFilter, Page } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { useKeys } from '../../platform/keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { ChangeSetting } from './editor.tsx';
import { SettingHistory } from './history.tsx';
import { mayChange, type Setting, valueText } from './value.ts';

type DialogState = { action: 'change' | 'history'; row: Setting; start?: unknown };
type OpenDialog = (dialog: DialogState) => void;

const GROUPS = ['access', 'deposit', 'withdraw', 'risk', 'game', 'promotion', 'member', 'operators'] as const;

/** One switch that stops a part of the service. */
function Switch({ of: row, openDialog }: { of: Setting; openDialog: OpenDialog }) {
  const { t } = useText();
  const canManage = may(useMe(), 'setting.manage');
  const isService = row.kind === 'service';
  const isOn = isService ? row.value === false : row.value === true;
  const flipped = isService ? (isOn ? 'gone' : false) : !isOn;
  return (
    <Paper withBorder p="md" component="section" aria-label={labelOf(t, 'setting', row.key)}>
      <Stack gap="sm" h="100%" justify="space-between">
        <Stack gap={4}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Text fw={600}>{labelOf(t, 'setting', row.key)}</Text>
            <Tag tone={isOn ? 'ok' : 'bad'}>{valueText(t, row, row.value)}</Tag>
          </Group>
          <Text size="sm" c="dimmed">
            {labelOf(t, 'settingStop', row.key)}
          </Text>
        </Stack>
        <Group gap="xs">
          {canManage && (
            <Button
              size="compact-md"
              className={isOn ? 'danger' : undefined}
              leftSection={<Icon of={Power} size={16} />}
              onClick={() => openDialog({ action: 'change', row, start: flipped })}
            >
              {t(isOn ? 'settings.stop' : 'settings.start')}
            </Button>
          )}
          <Button size="compact-md" variant="default" onClick={() => openDialog({ action: 'history', row })}>
            {t('content.history')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Row({ of: row, openDialog }: { of: Setting; openDialog: OpenDialog }) {
  const { t } = useText();
  const canManage = mayChange(useMe(), row);
  const name = labelOf(t, 'setting', row.key);
  const isOwn = JSON.stringify(row.value) !== JSON.stringify(row.fallback);
  return (
    <Group justify="space-between" wrap="nowrap" py={6} style={{ borderTop: '1px solid var(--hairline)' }}>
      <Stack gap={0} style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {isOwn
            ? t('settings.fallback', { value: valueText(t, row, row.fallback) })
            : t('settings.isFallback')}
        </Text>
      </Stack>
      <Text size="sm" fw={600} ta="right">
        {valueText(t, row, row.value)}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`${t('content.history')} ${name}`}
          onClick={() => openDialog({ action: 'history', row })}
        >
          {t('content.history')}
        </Button>
        {canManage && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${t('content.change')} ${name}`}
            onClick={() => openDialog({ action: 'change', row })}
          >
            {t('content.change')}
          </Button>
        )}
      </Group>
    </Group>
  );
}

/** The editor of a setting, or what it was before, from where an earlier value leads to the editor. */
function Question({
  dialog: { action, row, start },
  openDialog,
  onClose,
}: {
  dialog: DialogState;
  openDialog: OpenDialog;
  onClose: () => void;
}) {
  const canManage = mayChange(useMe(), row);
  if (action === 'change') return <ChangeSetting of={row} start={start} onClose={onClose} />;
  const back = (before: unknown) => openDialog({ action: 'change', row, start: before });
  return <SettingHistory of={row} onBack={canManage ? back : null} onClose={onClose} />;
}

/** Everything that can be changed while the service runs: what stops it first, then by where it works. */
export function SettingsPage() {
  const { t } = useText();
  const [dialog, setDialog] = useState<DialogState | null>(null);
  const [sought, setSought] = useState('');
  const list = useQuery({
    queryKey: ['settings'],
    queryFn: () => api('GET /api/operator/settings'),
    refetchInterval: 15_000,
  });
  const rows = (list.data?.settings ?? []).filter((row) =>
    `${labelOf(t, 'setting', row.key)} ${row.key}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  const of = (group: string) => rows.filter((row) => row.group === group);
  useKeys({ '/': focusFilter });
  return (
    <Page
      title={t('nav.settings')}
      actions={
        <TextInput
          id="filter"
          aria-label={t('settings.find')}
          placeholder={t('settings.find')}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      }
    >
      {list.isPending && (
        <Center>
          <Loader />
        </Center>
      )}
      <ReadError of={list} />
      {list.data && rows.length === 0 && <Text c="dimmed">{t('settings.noneFound')}</Text>}
      {of('stop').length > 0 && (
        <>
          <Title order={2} size="h4">
            {t('settings.group-stop')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {of('stop').map((row) => (
              <Switch key={row.key} of={row} openDialog={setDialog} />
            ))}
          </SimpleGrid>
        </>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {GROUPS.filter((group) => of(group).length > 0).map((group) => (
          <Paper key={group} withBorder p="md" component="section" aria-label={t(`settings.group-${group}`)}>
            <Title order={2} size="h4" mb="xs">
              {t(`settings.group-${group}`)}
            </Title>
            {of(group).map((row) => (
              <Row key={row.key} of={row} openDialog={setDialog} />
            ))}
          </Paper>
        ))}
      </SimpleGrid>
      {dialog && (
        <Question
          dialog={{
            ...dialog,
            row: list.data?.settings.find(({ key }) => key === dialog.row.key) ?? dialog.row,
          }}
          openDialog={setDialog}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  );
}

import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { draftOf } from './draft.ts';
import { Preview } from './preview.tsx';
import { REASON, useBonusAction } from './publish.tsx';

type Version = Reply<'GET /api/operator/bonuses/{code}'>['versions'][number];

interface VersionProps {
  code: string;
  now: number;
  versions: readonly Version[];
}

/** The former versions with operator and reason; each can be restored as the next version. */
export function Versions({ code, now, versions }: VersionProps) {
  const { t, language } = useText();
  const perform = useBonusAction();
  const canManage = may(useMe(), 'promotion.manage');
  const [chosen, setChosen] = useState<Version | null>(null);
  const revert = async ({ reason = '' }: Record<string, string>) => {
    const body = { to: chosen!.version, version: now, reason };
    await perform(() => api('POST /api/operator/bonuses/{code}/revert', { params: { code }, body }));
  };
  return (
    <Stack gap="xs">
      {versions.map((version) => (
        <Paper key={version.version} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap">
            <Stack gap={2}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {t('content.revision', { revision: version.version })}
                </Text>
                {version.version === now && <Tag tone="ok">{t('content.shown')}</Tag>}
              </Group>
              <Text size="xs" c="dimmed">
                {[
                  dateTimeText(version.changedAt),
                  actorText(t, version.changedBy),
                  version.reason,
                  version.reverts && t('content.reverts', { revision: version.reverts }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Stack>
            {canManage && version.version !== now && (
              <Button size="compact-sm" variant="default" onClick={() => setChosen(version)}>
                {t('content.revert')}
              </Button>
            )}
          </Group>
        </Paper>
      ))}
      {chosen && (
        <ActionDialog
          title={t('content.revertTo', { revision: chosen.version })}
          yes={t('withdrawals.sendToChecker')}
          fields={[{ ...REASON, label: t('field.reason') }]}
          onYes={revert}
          onClose={() => setChosen(null)}
        >
          <Preview of={draftOf(chosen.terms)} language={language} />
        </ActionDialog>
      )}
    </Stack>
  );
}

import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Tag } from '../../components/cells.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { api } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { type WheelReply, wheelDraftOf } from './draft.ts';
import { DrawnWheel } from './drawn-wheel.tsx';
import { ReasonDialog, useWheelAction } from './publish.tsx';

type Version = WheelReply['versions'][number];

/** The versions with operator and spins; each can be copied as the next version. */
export function Versions({ of: { wheel, versions } }: { of: WheelReply }) {
  const { t, language } = useText();
  const perform = useWheelAction();
  const canManage = may(useMe(), 'promotion.manage');
  const [chosen, setChosen] = useState<Version | null>(null);
  const revert = (reason: string) =>
    perform(t('wheel.reverted'), () =>
      api('POST /api/operator/wheels/{id}/revert', {
        params: { id: wheel.id },
        body: { to: chosen!.version, after: wheel.latest, reason },
      }).then(() => ({})),
    );
  const isShown = (version: Version) => wheel.state === 'OPEN' && version.version === wheel.version;
  return (
    <Stack gap="xs">
      {versions.map((version) => (
        <Paper key={version.version} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap">
            <Group wrap="nowrap">
              <div style={{ width: 72 }} aria-hidden>
                <DrawnWheel slices={wheelDraftOf(wheel.currency, version.plan).slices} language={language} />
              </div>
              <Stack gap={2}>
                <Group gap="xs">
                  <Text size="sm" fw={600}>
                    {t('content.revision', { revision: version.version })}
                  </Text>
                  {isShown(version) && <Tag tone="ok">{t('wheelState.OPEN')}</Tag>}
                  {!version.publishedAt && <Tag tone="ink-2">{t('wheelState.DRAFT')}</Tag>}
                </Group>
                <Text size="xs" c="dimmed">
                  {[
                    dateTimeText(version.madeAt),
                    actorText(t, version.madeBy),
                    version.revertsTo && t('content.reverts', { revision: version.revertsTo }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </Stack>
            </Group>
            {canManage && version.version !== wheel.latest && (
              <Button size="compact-sm" variant="default" onClick={() => setChosen(version)}>
                {t('content.revert')}
              </Button>
            )}
          </Group>
        </Paper>
      ))}
      {chosen && (
        <ReasonDialog
          title={t('content.revertTo', { revision: chosen.version })}
          note={t('wheel.revertNote')}
          yes={t('content.revert')}
          onYes={revert}
          onClose={() => setChosen(null)}
        />
      )}
    </Stack>
  );
}

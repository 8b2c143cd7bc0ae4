import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { Phone } from './phone.tsx';
import { type Content, writerText } from './types.ts';

type Revision = Reply<'GET /api/operator/content/{key}/revisions'>['revisions'][number];

/** Brings a revision back, once it has been looked at. */
function Revert({ of: row, revision, onClose }: { of: Content; revision: Revision; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async ({ reason = '' }: Record<string, string>) => {
    const body = { revision: revision.revision, now: row.revision, reason };
    try {
      await api('POST /api/operator/content/{key}/revert', { params: { key: row.key }, body });
      notice.say(t('content.published'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['content'] });
    }
  };
  return (
    <ActionDialog
      title={t('content.revertTo', { revision: revision.revision })}
      yes={t('content.revert')}
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
      onYes={send}
      onClose={onClose}
    >
      <Phone
        of={revision.words.th}
        contentKey={row.key}
        language="th"
        picture={null}
        title={labelOf(t, 'content', row.key)}
      />
    </ActionDialog>
  );
}

/** The former revisions with operator and reason. */
export function Revisions({ of: row, onClose }: { of: Content; onClose: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'content.manage');
  const [chosen, setChosen] = useState<Revision | null>(null);
  const list = useQuery({
    queryKey: ['content', 'revisions', row.key],
    queryFn: () => api('GET /api/operator/content/{key}/revisions', { params: { key: row.key } }),
  });
  if (chosen) return <Revert of={row} revision={chosen} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={`${t('content.history')} · ${labelOf(t, 'content', row.key)}`}>
      <Stack gap="xs">
        {list.isPending && <Loader size="sm" />}
        <ReadError of={list} />
        {list.data?.revisions.length === 0 && <Text c="dimmed">{t('content.nothing')}</Text>}
        {list.data?.revisions.map((revision) => (
          <Paper key={revision.revision} withBorder p="sm">
            <Group justify="space-between" wrap="nowrap">
              <Stack gap={2}>
                <Group gap="xs">
                  <Text size="sm" fw={600}>
                    {t('content.revision', { revision: revision.revision })}
                  </Text>
                  {revision.revision === row.revision && <Tag tone="ok">{t('content.shown')}</Tag>}
                </Group>
                <Text size="xs" c="dimmed">
                  {[
                    dateTimeText(revision.publishedAt),
                    writerText(t, revision.publishedBy),
                    revision.reason,
                    revision.reverts && t('content.reverts', { revision: revision.reverts }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </Stack>
              {canManage && revision.revision !== row.revision && (
                <Button size="compact-sm" variant="default" onClick={() => setChosen(revision)}>
                  {t('content.revert')}
                </Button>
              )}
            </Group>
          </Paper>
        ))}
      </Stack>
    </Dialog>
  );
}

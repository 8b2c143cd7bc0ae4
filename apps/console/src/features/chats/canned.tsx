import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Modal, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSend } from '../../platform/use-send.ts';

/** Replies kept ready for all agents. */
export function CannedReplies({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'chat.manage');
  const send = useSend(['canned']);
  const [draft, setDraft] = useState({ shortcut: '', text: '' });
  const list = useQuery({ queryKey: ['canned'], queryFn: () => api('GET /api/operator/canned') });
  const isGood = /^[a-z0-9-]{1,30}$/.test(draft.shortcut) && draft.text.trim() !== '';
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isGood) return;
    const { shortcut, text } = draft;
    void send(() =>
      api('PUT /api/operator/canned/{shortcut}', { params: { shortcut }, body: { text } }),
    ).then(
      () => setDraft({ shortcut: '', text: '' }),
      () => undefined,
    );
  };
  const remove = (shortcut: string) =>
    void send(() => api('DELETE /api/operator/canned/{shortcut}', { params: { shortcut } })).catch(
      () => undefined,
    );
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={700}>{t('chats.canned')}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close') }}
    >
      <Stack>
        {list.data?.canned.length === 0 && <Text c="dimmed">{t('chats.noCanned')}</Text>}
        {list.data?.canned.map((one) => (
          <Paper key={one.id} withBorder p="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Stack gap={2}>
                <Text size="sm" fw={600}>{`/${one.shortcut}`}</Text>
                <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                  {one.text}
                </Text>
              </Stack>
              {canManage && (
                <Group gap={4} wrap="nowrap">
                  <Button size="compact-sm" variant="default" onClick={() => setDraft(one)}>
                    {t('content.change')}
                  </Button>
                  <Button size="compact-sm" variant="subtle" onClick={() => remove(one.shortcut)}>
                    {t('chats.remove')}
                  </Button>
                </Group>
              )}
            </Group>
          </Paper>
        ))}
        {canManage && (
          <form onSubmit={save}>
            <Stack gap="sm">
              <TextInput
                label={t('chats.shortcut')}
                description={t('chats.shortcutNote')}
                required
                maxLength={30}
                value={draft.shortcut}
                onChange={(event) =>
                  setDraft({ ...draft, shortcut: event.currentTarget.value.toLowerCase() })
                }
              />
              <Textarea
                label={t('chats.words')}
                required
                autosize
                minRows={2}
                maxLength={2000}
                value={draft.text}
                onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
              />
              <Group justify="flex-end">
                <Button type="submit" disabled={!isGood}>
                  {t('chats.saveCanned')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Stack>
    </Modal>
  );
}

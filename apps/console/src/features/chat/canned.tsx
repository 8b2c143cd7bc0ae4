import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Loader, Modal, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSend } from '../../platform/use-send.ts';

type Canned = Reply<'GET /api/operator/canned'>['canned'][number];
type Draft = Pick<Canned, 'shortcut' | 'text'>;
const NOTHING: Draft = { shortcut: '', text: '' };

function Row({ of: one, onChange, onRemove }: { of: Canned; onChange: () => void; onRemove: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'chat.manage');
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2}>
          <Text size="sm" fw={600}>{`/${one.shortcut}`}</Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {one.text}
          </Text>
        </Stack>
        {canManage && (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={onChange}>
              {t('content.change')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={onRemove}>
              {t('chats.remove')}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}

function Form({
  of: draft,
  onChange,
  onSave,
}: {
  of: Draft;
  onChange: (draft: Draft) => void;
  onSave: () => void;
}) {
  const { t } = useText();
  const isGood = /^[a-z0-9-]{1,30}$/.test(draft.shortcut) && draft.text.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood) onSave();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('chats.shortcut')}
          description={t('chats.shortcutNote')}
          required
          maxLength={30}
          value={draft.shortcut}
          onChange={(event) => onChange({ ...draft, shortcut: event.currentTarget.value.toLowerCase() })}
        />
        <Textarea
          label={t('chats.words')}
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={!isGood}>
            {t('chats.saveCanned')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Replies kept ready for all agents. */
export function CannedReplies({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'chat.manage');
  const send = useSend(['canned']);
  const [draft, setDraft] = useState(NOTHING);
  const list = useQuery({ queryKey: ['canned'], queryFn: () => api('GET /api/operator/canned') });
  const save = async ({ shortcut, text }: Draft) => {
    await send(() => api('PUT /api/operator/canned/{shortcut}', { params: { shortcut }, body: { text } }));
    setDraft(NOTHING);
  };
  const remove = (shortcut: string) =>
    send(() => api('DELETE /api/operator/canned/{shortcut}', { params: { shortcut } }));
  const quietly = (work: Promise<void>) => void work.catch(() => undefined);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={700}>{t('chats.canned')}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close') }}
    >
      <Stack>
        {list.isPending && <Loader size="sm" />}
        {list.data?.canned.length === 0 && <Text c="dimmed">{t('chats.noCanned')}</Text>}
        {list.data?.canned.map((one) => (
          <Row
            key={one.id}
            of={one}
            onChange={() => setDraft({ shortcut: one.shortcut, text: one.text })}
            onRemove={() => quietly(remove(one.shortcut))}
          />
        ))}
        {/* Not before the list: it would push the form away from under the pointer. */}
        {canManage && !list.isPending && (
          <Form of={draft} onChange={setDraft} onSave={() => quietly(save(draft))} />
        )}
      </Stack>
    </Modal>
  );
}

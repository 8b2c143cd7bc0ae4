import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { PreparedTexts, usePrepared } from '../../components/prepared-texts.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';

type Canned = Reply<'GET /api/operator/canned'>['canned'][number];
type Draft = Pick<Canned, 'shortcut' | 'text'>;
const NOTHING: Draft = { shortcut: '', text: '' };

function Form({
  of: draft,
  onChange,
  isBusy,
  onSave,
}: {
  of: Draft;
  onChange: (draft: Draft) => void;
  isBusy: boolean;
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
          label={t('chats.text')}
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={!isGood}>
            {t('chats.saveCanned')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Ready replies for all agents. */
export function CannedReplies({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'chat.manage');
  const prepared = usePrepared(['canned'], NOTHING, {
    save: ({ shortcut, text }) =>
      api('PUT /api/operator/canned/{shortcut}', { params: { shortcut }, body: { text } }),
    remove: (shortcut) => api('DELETE /api/operator/canned/{shortcut}', { params: { shortcut } }),
  });
  const list = useQuery({ queryKey: ['canned'], queryFn: () => api('GET /api/operator/canned') });
  return (
    <PreparedTexts
      title={t('chats.canned')}
      empty={t('chats.noCanned')}
      list={list}
      texts={list.data?.canned.map(({ shortcut, text }) => ({
        name: `/${shortcut}`,
        text,
        onChange: () => prepared.setDraft({ shortcut, text }),
        onRemove: () => prepared.remove(shortcut),
      }))}
      form={
        canManage && (
          <Form
            of={prepared.draft}
            onChange={prepared.setDraft}
            isBusy={prepared.isSaving}
            onSave={prepared.save}
          />
        )
      }
      isBusy={prepared.isBusy}
      onClose={onClose}
    />
  );
}

import { TAGS_MAX } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Menu, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Zap } from 'lucide';
import type { FormEvent } from 'react';
import { Icon } from '../../components/icons.tsx';
import { PreparedTexts, usePrepared } from '../../components/prepared-texts.tsx';
import { api, type Body, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Chat } from './types.ts';

type Macro = Reply<'GET /api/operator/macros'>['macros'][number];
type Draft = Body<'PUT /api/operator/macros/{name}'> & { name: string };

const NOTHING: Draft = { name: '', text: '', tags: [], isTaken: false, ending: 'NONE' };
const ENDINGS = ['NONE', 'HOLD', 'END'] as const;

const useMacros = () => useQuery({ queryKey: ['macros'], queryFn: () => api('GET /api/operator/macros') });

/** Runs a macro on the conversation. */
export function MacroMenu({
  of: { id },
  perform,
}: {
  of: Chat;
  perform: (work: () => Promise<unknown>) => Promise<void>;
}) {
  const { t } = useText();
  const macros = useMacros().data?.macros ?? [];
  if (macros.length === 0) return null;
  const run = (name: string) => {
    const body = { key: crypto.randomUUID() };
    const params = { id, name };
    void perform(() => api('POST /api/operator/chats/{id}/macros/{name}', { params, body })).catch(
      () => undefined,
    );
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon of={Zap} />}>
          {t('macros.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {macros.map(({ name }) => (
          <Menu.Item key={name} onClick={() => run(name)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface FormProps {
  of: Draft;
  onChange: (draft: Draft) => void;
  isBusy: boolean;
  onSave: () => void;
}

/** Whether a macro does anything. */
const doesSomething = ({ text, tags, isTaken, ending }: Draft): boolean =>
  text.trim() !== '' || tags.length > 0 || isTaken || ending !== 'NONE';

function Form({ of: draft, onChange, isBusy, onSave }: FormProps) {
  const { t } = useText();
  const isGood = draft.name.trim() !== '' && doesSomething(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood) onSave();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('macros.name')}
          required
          maxLength={60}
          value={draft.name}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        />
        <Textarea
          label={t('macros.text')}
          description={t('macros.textNote')}
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
        <TagsInput
          label={t('macros.tags')}
          maxTags={TAGS_MAX}
          value={draft.tags}
          onChange={(tags) => onChange({ ...draft, tags })}
        />
        <Checkbox
          label={t('macros.take')}
          checked={draft.isTaken}
          onChange={(event) => onChange({ ...draft, isTaken: event.currentTarget.checked })}
        />
        <Select
          label={t('macros.ending')}
          allowDeselect={false}
          value={draft.ending}
          data={ENDINGS.map((value) => ({ value, label: t(`macroEnding.${value}`) }))}
          onChange={(value) => onChange({ ...draft, ending: ENDINGS.find((one) => one === value) ?? 'NONE' })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={!isGood}>
            {t('macros.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Named sets of actions on a conversation, for all agents. */
export function Macros({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'chat.manage');
  const prepared = usePrepared(['macros'], NOTHING, {
    save: ({ name, ...body }) =>
      api('PUT /api/operator/macros/{name}', { params: { name: name.trim() }, body }),
    remove: (name) => api('DELETE /api/operator/macros/{name}', { params: { name } }),
  });
  const list = useMacros();
  const textOf = ({ text, tags, isTaken, ending }: Macro): string =>
    [
      text,
      tags.length > 0 && t('macros.addsTags', { tags: tags.join(', ') }),
      isTaken && t('macros.take'),
      ending !== 'NONE' && t(`macroEnding.${ending}`),
    ]
      .filter(Boolean)
      .join('\n');
  return (
    <PreparedTexts
      title={t('macros.title')}
      note={t('macros.note')}
      empty={t('macros.none')}
      list={list}
      texts={list.data?.macros.map(({ id: _, ...macro }) => ({
        name: macro.name,
        text: textOf({ id: macro.name, ...macro }),
        onChange: () => prepared.setDraft(macro),
        onRemove: () => prepared.remove(macro.name),
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

import { useText } from '@krapao/ui/text/text.tsx';
import { Select, TextInput } from '@mantine/core';
import type { DialogField } from '../../components/action-dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import type { RowAction, RowRefusal } from '../../components/row-actions.tsx';
import { api } from '../../platform/api.ts';
import { useMe } from '../../platform/me.ts';
import type { Chat } from './types.ts';
import { useHead } from './use-conversation.ts';

const TAG_MAX = 40;
const TAGS_MAX = 10;

const params = ({ id }: Chat) => ({ params: { id } });

const refusedIn = (...states: Chat['state'][]) => {
  return ({ state }: Chat): RowRefusal | null =>
    states.includes(state) ? { code: 'ROW_CHANGED', state } : null;
};

/** Chooses an agent; those who may take one conversation over may take all. */
function AgentField({ of, value, onChange }: { of: string; value: string; onChange: (id: string) => void }) {
  const { t } = useText();
  const head = useHead(of);
  return (
    <Select
      label={t('chats.agent')}
      data={head.data?.agents.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      withAsterisk
      searchable
      {...FOCUSED}
    />
  );
}

/**
 * The actions on many conversations.
 * @param first the id of a conversation whose agents are offered
 */
export function useChatRowActions(first: string): RowAction<Chat>[] {
  const { t } = useText();
  const me = useMe();
  const tag: DialogField = {
    name: 'tag',
    label: t('chats.tag'),
    least: 1,
    draw: (value, onChange) => (
      <TextInput
        label={t('chats.tag')}
        value={value}
        maxLength={TAG_MAX}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        {...FOCUSED}
      />
    ),
  };
  const agent: DialogField = {
    name: 'operator',
    label: t('chats.agent'),
    least: 1,
    draw: (value, onChange) => <AgentField of={first} value={value} onChange={onChange} />,
  };
  return [
    {
      label: t('chats.take'),
      refusalOf: ({ state, assignee }) => {
        if (state === 'ENDED') return { code: 'ROW_CHANGED', state };
        return assignee && assignee.name !== me.name ? { code: 'CLAIMED', by: assignee.name } : null;
      },
      perform: async (chat) => {
        await api('POST /api/operator/chats/{id}/claim', { ...params(chat), body: {} });
        return chat.state;
      },
    },
    {
      label: t('chats.transfer'),
      fields: [agent],
      perform: async (chat, { operator = '' }) => {
        await api('POST /api/operator/chats/{id}/transfer', { ...params(chat), body: { operator } });
        return chat.state;
      },
    },
    {
      label: t('chats.addTag'),
      fields: [tag],
      refusalOf: ({ tags }) => (tags.length >= TAGS_MAX ? { code: 'TAGS_MAX' } : null),
      perform: async (chat, { tag = '' }) => {
        // All tags are written at once, so they are read first: a colleague may have changed them meanwhile.
        const head = await api('GET /api/operator/chats/{id}', params(chat));
        const tags = [...new Set([...head.chat.tags, tag.trim()])];
        await api('POST /api/operator/chats/{id}/tags', { ...params(chat), body: { tags } });
        return chat.state;
      },
    },
    {
      label: t('chats.hold'),
      refusalOf: refusedIn('ENDED', 'ON_HOLD'),
      perform: async (chat) => {
        await api('POST /api/operator/chats/{id}/hold', { ...params(chat), body: { isHeld: true } });
        return 'ON_HOLD';
      },
    },
    {
      label: t('chats.end'),
      refusalOf: refusedIn('ENDED'),
      perform: async (chat) => {
        await api('POST /api/operator/chats/{id}/end', { ...params(chat), body: {} });
        return 'ENDED';
      },
    },
  ];
}

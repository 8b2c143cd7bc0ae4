import { TAG_MAX, TAGS_MAX } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Select, TextInput } from '@mantine/core';
import type { DialogField } from '../../components/action-dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import type { RowAction, RowRefusal } from '../../components/row-actions.tsx';
import { api } from '../../platform/api.ts';
import { useMe } from '../../platform/me.ts';
import type { Chat } from './types.ts';
import { useHead } from './use-conversation.ts';

const params = ({ id }: Chat) => ({ params: { id } });

const refusedIn = (...states: Chat['state'][]) => {
  return ({ state }: Chat): RowRefusal | null =>
    states.includes(state) ? { code: 'ROW_CHANGED', state } : null;
};

/** Before the id of a team; agents are chosen by their id alone. */
const TEAM = 'team:';

/** Chooses a team or an agent; those who may take one conversation over may take all. */
function RecipientField({
  of,
  value,
  onChange,
}: {
  of: string;
  value: string;
  onChange: (to: string) => void;
}) {
  const { t } = useText();
  const { data: head } = useHead(of);
  const teams = head?.teams.map(({ id, name }) => ({ value: TEAM + id, label: name })) ?? [];
  const agents = head?.agents.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const groups = [
    { group: t('chatTeams.title'), items: teams },
    { group: t('chats.agents'), items: agents },
  ];
  return (
    <Select
      label={t('chats.recipient')}
      data={groups.filter(({ items }) => items.length > 0)}
      value={value || null}
      onChange={(to) => onChange(to ?? '')}
      withAsterisk
      searchable
      {...FOCUSED}
    />
  );
}

/**
 * The actions on many conversations.
 * @param first the id of a conversation whose agents and teams are offered
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
  const recipient: DialogField = {
    name: 'to',
    label: t('chats.recipient'),
    least: 1,
    draw: (value, onChange) => <RecipientField of={first} value={value} onChange={onChange} />,
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
      fields: [recipient],
      perform: async (chat, { to = '' }) => {
        if (to.startsWith(TEAM)) {
          const body = { team: to.slice(TEAM.length) };
          await api('POST /api/operator/chats/{id}/team', { ...params(chat), body });
        } else {
          await api('POST /api/operator/chats/{id}/transfer', { ...params(chat), body: { operator: to } });
        }
        return chat.state;
      },
    },
    {
      label: t('chats.addTag'),
      fields: [tag],
      refusalOf: ({ tags }) => (tags.length >= TAGS_MAX ? { code: 'TAGS_MAX' } : null),
      perform: async (chat, { tag = '' }) => {
        const body = { added: [tag.trim()], removed: [] };
        await api('POST /api/operator/chats/{id}/tags', { ...params(chat), body });
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

import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Text } from '@mantine/core';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Age } from '../../components/cells.tsx';
import { FoundChoice } from '../../components/found-choice.tsx';
import { useAddress } from '../../platform/address.ts';
import { api } from '../../platform/api.ts';
import { useNameOf } from './list.tsx';
import type { Chat } from './types.ts';

const LIMIT = 10;
const NEVER_LATE_MINUTES = 1e9;

function About({ of: chat }: { of: Chat }) {
  const { t } = useText();
  const nameOf = useNameOf();
  const { member, state, lastWords } = chat;
  return (
    <Box miw={0}>
      <Text size="sm" fw={600}>
        {nameOf(chat)}
      </Text>
      <Text size="xs" c="dimmed">
        {[member?.id, t(`chatState.${state}`)].filter(Boolean).join(' · ')}
      </Text>
      <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {lastWords}
      </Text>
    </Box>
  );
}

/** Chooses the conversation that stays, by its member, its guest or a message; `of` is the one merged away. */
function ConversationField({
  of,
  value,
  onChange,
}: {
  of: Chat;
  value: string;
  onChange: (id: string) => void;
}) {
  const { t } = useText();
  const nameOf = useNameOf();
  const search = (q: string) => {
    if (q === '') return null;
    const queryFn = async () => {
      const { chats } = await api('GET /api/operator/chats', { query: { q, limit: LIMIT } });
      return chats.filter(({ id }) => id !== of.id);
    };
    return { queryKey: ['chats', 'merge', of.id, q], queryFn };
  };
  return (
    <FoundChoice
      label={t('chats.mergeInto')}
      hint={t('chats.mergeHint')}
      none={t('chats.mergeNone')}
      value={value}
      onChange={onChange}
      search={search}
      draw={(one) => ({
        about: <About of={one} />,
        beside: <Age since={one.lastAt} lateMinutes={NEVER_LATE_MINUTES} />,
      })}
      chosenText={(one) => t('chats.mergeChosen', { name: nameOf(one) })}
    />
  );
}

/** Merges a guest's conversation into another, for good, and opens the one that stays. */
export function MergeDialog({
  of: chat,
  perform,
  onClose,
}: {
  of: Chat;
  perform: (work: () => Promise<unknown>) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const address = useAddress();
  const merge = ({ into = '', reason = '' }: Record<string, string>) =>
    perform(async () => {
      const body = { into, reason: reason.trim() };
      await api('POST /api/operator/chats/{id}/merge', { params: { id: chat.id }, body });
      address.set({ open: into });
    });
  return (
    <ActionDialog
      title={t('chats.mergeTitle')}
      fields={[
        {
          name: 'into',
          label: t('chats.mergeInto'),
          least: 1,
          draw: (value, onChange) => <ConversationField of={chat} value={value} onChange={onChange} />,
        },
        { name: 'reason', label: t('field.reason'), rows: 2, least: 3 },
      ]}
      yes={t('chats.mergeYes')}
      isDangerous
      onYes={merge}
      onClose={onClose}
    >
      <Text size="sm">{t('chats.mergeNote')}</Text>
    </ActionDialog>
  );
}

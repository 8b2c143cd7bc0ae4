import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Search } from 'lucide';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Age } from '../../components/cells.tsx';
import { ChoiceButton } from '../../components/choice-button.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { Icon } from '../../components/icons.tsx';
import { useAddress } from '../../platform/address.ts';
import { api } from '../../platform/api.ts';
import { useNameOf } from './list.tsx';
import type { Chat } from './types.ts';

const LIMIT = 10;
const NEVER_LATE_MINUTES = 1e9;

function Choice({ of: chat, isChosen, onChoose }: { of: Chat; isChosen: boolean; onChoose: () => void }) {
  const { t } = useText();
  const nameOf = useNameOf();
  const { member, state, lastWords, lastAt } = chat;
  return (
    <ChoiceButton isChosen={isChosen} onChoose={onChoose}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
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
        {isChosen ? <Icon of={CircleCheck} /> : <Age since={lastAt} lateMinutes={NEVER_LATE_MINUTES} />}
      </Group>
    </ChoiceButton>
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
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    queryKey: ['chats', 'merge', q],
    queryFn: () => api('GET /api/operator/chats', { query: { q, limit: LIMIT } }),
    enabled: q !== '',
  });
  const chats = found.data?.chats.filter(({ id }) => id !== of.id) ?? [];
  const chosen = chats.find(({ id }) => id === value);
  return (
    <Stack gap="xs">
      <TextInput
        {...FOCUSED}
        label={t('chats.mergeInto')}
        withAsterisk
        maxLength={80}
        placeholder={t('chats.mergeHint')}
        leftSection={<Icon of={Search} />}
        rightSection={found.isFetching ? <Loader size="xs" /> : null}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          onChange('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          // Nothing is sent before it has been seen chosen.
          event.preventDefault();
          if (chats[0]) onChange(chats[0].id);
        }}
      />
      <Stack gap={4} role="radiogroup" aria-label={t('chats.mergeInto')}>
        {chats.map((one) => (
          <Choice key={one.id} of={one} isChosen={one.id === value} onChoose={() => onChange(one.id)} />
        ))}
        {found.data && chats.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('chats.mergeNone')}
          </Text>
        )}
      </Stack>
      <Text size="sm" fw={600} role="status">
        {chosen && t('chats.mergeChosen', { name: nameOf(chosen) })}
      </Text>
    </Stack>
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

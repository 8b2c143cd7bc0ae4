import { MINUTE_MS } from '@krapao/contract/durations';
import { initials } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Avatar, Box, Button, Checkbox, Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Selection } from '../../components/bulk.tsx';
import { Age, Tag, useNow } from '../../components/cells.tsx';
import { FilterChip } from '../../components/choices-filter.tsx';
import { FilterField } from '../../components/page.tsx';
import { ReadError, type Reading } from '../../components/read-error.tsx';
import type { Reply } from '../../platform/api.ts';
import { useIsTyping } from '../../platform/typing.ts';
import styles from './chat.module.css';
import { TeamTag } from './teams.tsx';
import type { Chat } from './types.ts';
import { useHasFailed } from './unsent.ts';

export const BOXES = ['mine', 'team', 'unassigned', 'all', 'snoozed', 'held', 'ended'] as const;
const ASIDE: readonly BoxName[] = ['snoozed', 'held', 'ended'];
export type BoxName = (typeof BOXES)[number];

/** A member's name, or a guest's short one. */
export function useNameOf(): (chat: Chat) => string {
  const { t } = useText();
  return ({ member, guest }) => member?.name ?? t('chats.guest', { id: guest ?? '' });
}

interface RowProps {
  of: Chat;
  /** Within how many minutes a waiting customer should be answered. */
  target: number;
  isOpen: boolean;
  /** Whether it is selected; null while none can be. */
  isSelected: boolean | null;
  onOpen: () => void;
}

function Row({ of: chat, target, isOpen, isSelected, onOpen }: RowProps) {
  const { t } = useText();
  const nameOf = useNameOf();
  const isTyping = useIsTyping(chat.id, chat.lastSender === 'customer' ? chat.lastAt : undefined);
  const name = nameOf(chat);
  const hasFailed = useHasFailed(chat.id);
  const now = useNow();
  const isWaiting = chat.state === 'OPEN' && chat.waitingSince !== null;
  const isLate = isWaiting && now - Date.parse(chat.waitingSince ?? '') > target * MINUTE_MS;
  const texts = isTyping
    ? t('chats.typing')
    : chat.lastSender === 'agent'
      ? t('chats.you', { words: chat.lastWords })
      : chat.lastWords;
  return (
    <button
      type="button"
      className={styles.row}
      aria-current={isOpen ? 'true' : undefined}
      aria-pressed={isSelected ?? undefined}
      onClick={onOpen}
    >
      {isSelected === null ? (
        <Avatar
          radius="xl"
          styles={{
            placeholder: {
              background: isOpen ? 'var(--surface)' : 'var(--brand-soft)',
              color: 'var(--brand)',
            },
          }}
        >
          {initials(name)}
        </Avatar>
      ) : (
        <span className={styles.check}>
          <Checkbox.Indicator checked={isSelected} />
        </span>
      )}
      <Box miw={0}>
        <Text size="sm" fw={600} className={styles.last}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" className={styles.last}>
          {texts}
        </Text>
        {(chat.team || chat.tags.length > 0) && (
          <Group gap={4} mt={2}>
            <TeamTag of={chat} />
            {chat.tags.slice(0, 2).map((tag) => (
              <Tag key={tag} tone="ink-2">
                {tag}
              </Tag>
            ))}
          </Group>
        )}
      </Box>
      <Stack gap={2} align="flex-end">
        <Age since={chat.waitingSince ?? chat.lastAt} lateMinutes={isWaiting ? target : 1e9} />
        {hasFailed && <Tag tone="bad">{t('chats.failed')}</Tag>}
        {isLate && <Tag tone="warn">{t('chats.late')}</Tag>}
        {chat.unread > 0 && <Tag tone="bad">{chat.unread}</Tag>}
      </Stack>
    </button>
  );
}

interface ListProps {
  chats: readonly Chat[];
  /** How far the reading of them is; while it is under way another box's may stand in. */
  reading: Reading & { isPending: boolean; isPlaceholderData: boolean };
  /** How many are in each box; null of the teams of an operator who is in none. */
  counts: Reply<'GET /api/operator/chats'>['counts'] | undefined;
  target: number;
  box: BoxName;
  open: string | null;
  text: string;
  /** What a report led to; all boxes are searched then. */
  sessions: { text: string; clear: () => void } | null;
  onBox: (box: BoxName) => void;
  onText: (text: string) => void;
  onOpen: (id: string) => void;
  /** The conversations selected; null while a click opens one. */
  selection: Selection<Chat> | null;
  /** The actions on what is selected. */
  bar: ReactNode;
  /** Reads further conversations; null when all are shown. */
  onMore: (() => void) | null;
}

/** Conversations of a box, the longest waiting first. */
export function ChatList(props: ListProps) {
  const { chats, reading, counts, target, box, open, text, sessions, selection, bar } = props;
  const { onBox, onText, onOpen, onMore } = props;
  const { t } = useText();
  const isInTeam = typeof counts?.team === 'number';
  const boxes: readonly BoxName[] =
    isInTeam || box === 'team' ? ['mine', 'team', 'unassigned', 'all'] : ['mine', 'unassigned', 'all'];
  const label = (name: BoxName) => {
    const count = name === 'ended' ? 0 : (counts?.[name] ?? 0);
    return count > 0 ? `${t(`chatBox.${name}`)} ${count}` : t(`chatBox.${name}`);
  };
  return (
    <div className={styles.list}>
      <Stack gap="xs" p="sm">
        <FilterField value={text} onChange={onText} label={t('chats.search')} />
        {sessions && <FilterChip text={sessions.text} onRemove={sessions.clear} />}
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t('nav.chats')}
          value={ASIDE.includes(box) ? '' : box}
          data={boxes.map((value) => ({ value, label: label(value) }))}
          classNames={{ control: styles.box, label: styles.boxLabel }}
          onChange={(value) => onBox(value as BoxName)}
        />
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t('chats.putAside')}
          value={ASIDE.includes(box) ? box : ''}
          data={ASIDE.map((value) => ({ value, label: label(value) }))}
          onChange={(value) => onBox(value as BoxName)}
        />
      </Stack>
      {reading.error && (
        <Box px="sm" pb="sm">
          <ReadError of={reading} />
        </Box>
      )}
      {chats.length === 0 && !reading.error && (
        <div className={styles.empty}>
          {reading.isPending || reading.isPlaceholderData ? (
            <Loader size="sm" />
          ) : (
            <Text size="sm">
              {t(box !== 'team' ? 'chats.none' : isInTeam ? 'chats.noneOfTeam' : 'chats.inNoTeam')}
            </Text>
          )}
        </div>
      )}
      {chats.map((chat) => (
        <Row
          key={chat.id}
          of={chat}
          target={target}
          isOpen={chat.id === open}
          isSelected={selection ? selection.selected.has(chat.id) : null}
          onOpen={() => (selection ? selection.toggle(chat) : onOpen(chat.id))}
        />
      ))}
      {onMore && (
        <Button variant="subtle" m="sm" onClick={onMore}>
          {t('chats.more')}
        </Button>
      )}
      {bar && <div className={styles.bar}>{bar}</div>}
    </div>
  );
}

import { dateText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { NameCell, type Selection } from '../../components/bulk.tsx';
import { Page } from '../../components/page.tsx';
import { useRowActions } from '../../components/row-actions.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query } from '../../platform/api.ts';
import { timesOfDays } from '../../platform/days.ts';
import { may, useMe } from '../../platform/me.ts';
import { readAllPages, still } from '../../platform/use-list.ts';
import { Beside } from './beside.tsx';
import { CannedReplies } from './canned.tsx';
import styles from './chat.module.css';
import { Conversation } from './conversation.tsx';
import { BOXES, type BoxName, ChatList, useNameOf } from './list.tsx';
import { Macros } from './macros.tsx';
import { useChatRowActions } from './row-actions.tsx';
import { Teams } from './teams.tsx';
import type { Chat } from './types.ts';
import { useHead } from './use-conversation.ts';

const LIMIT = 60;
/** Stands in the address for sessions without an agent. */
const NO_AGENT = 'no-agent';

/** `Alt` with an arrow opens the next conversation, also while one writes. */
function useNextKeys(ids: readonly string[], open: string | null, onOpen: (id: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      const at = open === null ? -1 : ids.indexOf(open);
      const next = ids[at + (event.key === 'ArrowDown' ? 1 : -1)];
      if (next) onOpen(next);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ids, open, onOpen]);
}

function BesideOf({ id }: { id: string }) {
  const { t } = useText();
  const head = useHead(id);
  return (
    <aside className={styles.beside} aria-label={t('chats.beside')}>
      {head.data && <Beside of={head.data} />}
    </aside>
  );
}

/** The conversations of a filter, page by page; one that moved between two readings is shown once. */
function useChats(query: Query<'GET /api/operator/chats'>) {
  const read = (paging: object) => api('GET /api/operator/chats', { query: { ...query, ...paging } });
  const list = useInfiniteQuery({
    queryKey: ['chats', query],
    queryFn: ({ pageParam }) => read(pageParam ? { cursor: pageParam } : {}),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const all = list.data?.pages.flatMap(({ chats }) => chats) ?? [];
  return {
    chats: [...new Map(all.map((chat) => [chat.id, chat])).values()],
    first: list.data?.pages[0],
    more: list.hasNextPage ? () => void list.fetchNextPage() : null,
    filterKey: JSON.stringify(query),
    reading: list,
    isPlaceholderData: list.isPlaceholderData,
    readAll: () => readAllPages(read, ({ chats }) => chats),
  };
}

/** The filter that the report on conversations leads to: an agent, and the days their sessions were opened. */
function useSessionFilter() {
  const { t } = useText();
  const address = useAddress();
  const [agent, from, to] = [address.get('agent'), address.get('from'), address.get('to')];
  if (!agent && !from && !to) return null;
  const days = [...new Set([from, to])].filter(Boolean).map((day) => dateText(day));
  const name = agent === NO_AGENT ? t('chats.unassigned') : agent;
  return {
    query: { ...(agent && { agent }), ...timesOfDays(from, to) },
    text: [name, days.join('–')].filter(Boolean).join(' · '),
    clear: () => address.set({ agent: null, from: null, to: null }),
  };
}

/** How to select, while nothing is. */
function SelectHint({ of }: { of: Selection<Chat> }) {
  const { t } = useText();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="xs" c="dimmed">
        {t('chats.selectHint')}
      </Text>
      <Button size="compact-sm" variant="default" onClick={of.toggleAll}>
        {t('table.selectAll')}
      </Button>
    </Group>
  );
}

/** What is prepared for conversations: teams, macros and ready replies, each in a dialog. */
function Prepared() {
  const { t } = useText();
  const canManage = may(useMe(), 'chat.manage');
  const [editing, setEditing] = useState<'canned' | 'macros' | 'teams' | null>(null);
  const close = () => setEditing(null);
  return (
    <>
      {canManage && (
        <Button variant="default" onClick={() => setEditing('teams')}>
          {t('chatTeams.title')}
        </Button>
      )}
      <Button variant="default" onClick={() => setEditing('macros')}>
        {t('macros.title')}
      </Button>
      <Button variant="default" onClick={() => setEditing('canned')}>
        {t('chats.canned')}
      </Button>
      {editing === 'canned' && <CannedReplies onClose={close} />}
      {editing === 'macros' && <Macros onClose={close} />}
      {editing === 'teams' && <Teams onClose={close} />}
    </>
  );
}

/** What the address asks of the inbox: a box, a search, or what a report leads to. */
function useInbox() {
  const address = useAddress();
  const box = BOXES.find((one) => one === address.get('box')) ?? 'all';
  const text = address.get('q');
  const sessions = useSessionFilter();
  const query: Query<'GET /api/operator/chats'> = {
    box,
    limit: LIMIT,
    ...(text ? { q: text } : {}),
    ...sessions?.query,
  };
  return { box, text, sessions, query };
}

/** Conversations with customers: the queue, the messages, and the member's money. */
export function ChatsPage() {
  const { t } = useText();
  const address = useAddress();
  const canRespond = may(useMe(), 'chat.answer');
  const [isBesideOpen, setBesideOpen] = useState(false);
  const open = address.get('open') || null;
  const { box, text, sessions, query } = useInbox();
  const list = useChats(query);
  const { chats } = list;
  const [isSelecting, setSelecting] = useState(false);
  const nameOf = useNameOf();
  const many = useRowActions<Chat>({
    list: {
      rows: still(list.isPlaceholderData ? [] : chats),
      total: list.first?.total,
      filterKey: list.filterKey,
      readAll: list.readAll,
    },
    size: 'compact-xs',
    canSelect: () => true,
    nameOf: (chat) => <NameCell title={nameOf(chat)} below={chat.lastWords} />,
    actions: useChatRowActions(chats[0]?.id ?? ''),
    queryKeys: ['chats', 'chat', 'today'],
  });
  const toggleSelecting = () => {
    if (isSelecting) many.selection.clear();
    setSelecting(!isSelecting);
  };
  const onOpen = useCallback((id: string) => address.set({ open: id }), [address.set]);
  const onText = useCallback((q: string) => address.set({ q, open }), [address.set, open]);
  useNextKeys(
    chats.map(({ id }) => id),
    open,
    onOpen,
  );
  return (
    <Page
      title={t('nav.chats')}
      actions={
        <>
          {open && (
            <div className={styles.narrow}>
              <Button
                variant={isBesideOpen ? 'filled' : 'default'}
                aria-expanded={isBesideOpen}
                onClick={() => setBesideOpen(!isBesideOpen)}
              >
                {t('chats.beside')}
              </Button>
            </div>
          )}
          {canRespond && (
            <Button
              variant={isSelecting ? 'filled' : 'default'}
              aria-pressed={isSelecting}
              onClick={toggleSelecting}
            >
              {t('chats.select')}
            </Button>
          )}
          <Prepared />
        </>
      }
    >
      <div className={styles.pageName} data-beside={isBesideOpen}>
        <ChatList
          chats={chats}
          reading={list.reading}
          counts={list.first?.counts}
          target={list.first?.targetMinutes ?? Number.POSITIVE_INFINITY}
          box={box}
          open={open}
          text={text}
          sessions={sessions}
          onBox={(next: BoxName) =>
            address.set({ box: next === 'all' ? null : next, open, agent: null, from: null, to: null })
          }
          onText={onText}
          onOpen={onOpen}
          selection={isSelecting ? many.selection : null}
          bar={isSelecting && (many.bar || <SelectHint of={many.selection} />)}
          onMore={list.more}
        />
        {open ? (
          <Conversation key={open} id={open} />
        ) : (
          <div className={styles.empty}>{t('chats.choose')}</div>
        )}
        {open && <BesideOf id={open} />}
      </div>
      {many.dialog}
    </Page>
  );
}

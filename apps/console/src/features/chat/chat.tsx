import { useText } from '@krapao/ui/text/text.tsx';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query } from '../../platform/api.ts';
import { Beside } from './beside.tsx';
import { CannedReplies } from './canned.tsx';
import styles from './chat.module.css';
import { Conversation } from './conversation.tsx';
import { BOXES, type BoxName, ChatList } from './list.tsx';
import { Macros } from './macros.tsx';
import { useHead } from './use-conversation.ts';

const LIMIT = 60;

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

/** Conversations with customers: the queue, the messages, and the member's money. */
export function ChatsPage() {
  const { t } = useText();
  const address = useAddress();
  const [editing, setEditing] = useState<'canned' | 'macros' | null>(null);
  const [isBesideOpen, setBesideOpen] = useState(false);
  const box = BOXES.find((one) => one === address.get('box')) ?? 'all';
  const text = address.get('q');
  const open = address.get('open') || null;
  const query: Query<'GET /api/operator/chats'> = { box, limit: LIMIT, ...(text ? { q: text } : {}) };
  const list = useQuery({
    queryKey: ['chats', query],
    queryFn: () => api('GET /api/operator/chats', { query }),
    placeholderData: keepPreviousData,
  });
  const chats = list.data?.chats ?? [];
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
          <Button variant="default" onClick={() => setEditing('macros')}>
            {t('macros.title')}
          </Button>
          <Button variant="default" onClick={() => setEditing('canned')}>
            {t('chats.canned')}
          </Button>
        </>
      }
    >
      <div className={styles.pageName} data-beside={isBesideOpen}>
        <ChatList
          chats={chats}
          counts={list.data?.counts}
          target={list.data?.targetMinutes ?? Number.POSITIVE_INFINITY}
          box={box}
          open={open}
          text={text}
          onBox={(next: BoxName) => address.set({ box: next === 'all' ? null : next, open })}
          onText={onText}
          onOpen={onOpen}
        />
        {open ? (
          <Conversation key={open} id={open} />
        ) : (
          <div className={styles.empty}>{t('chats.choose')}</div>
        )}
        {open && <BesideOf id={open} />}
      </div>
      {editing === 'canned' && <CannedReplies onClose={() => setEditing(null)} />}
      {editing === 'macros' && <Macros onClose={() => setEditing(null)} />}
    </Page>
  );
}

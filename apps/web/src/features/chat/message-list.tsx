import { BrandMark } from '@krapao/ui/components/brand-mark.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownToLine } from 'lucide';
import { useMemo } from 'react';
import type { Conversation } from './conversation.ts';
import styles from './message-list.module.css';
import { ItemRow, PendingRow } from './message-rows.tsx';
import { rowsOf } from './rows.ts';
import { type ConversationState, isAfter } from './state.ts';
import { useScroll } from './use-scroll.ts';

interface ListProps {
  conversation: Conversation;
  state: ConversationState;
}

/** The messages, with pending ones below. */
export function MessageList({ conversation, state }: ListProps) {
  const { t } = useText();
  const { box, inside, newCount, toBottom } = useScroll(conversation, state);
  return (
    <div className={styles.place}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} className={styles.scroll} role="log" aria-label={t('chat.log')} tabIndex={0}>
        <div ref={inside} className={styles.inside}>
          {state.isLoadingEarlier && (
            <p className={styles.quiet} role="status">
              {t('chat.earlier')}
            </p>
          )}
          <Rows conversation={conversation} state={state} />
          {state.pending.map((pending) => (
            <PendingRow key={pending.id} pending={pending} conversation={conversation} />
          ))}
          {state.isTyping && (
            <p className={styles.quiet} role="status">
              {t('chat.typing')}
            </p>
          )}
        </div>
      </div>
      {newCount > 0 && (
        <button type="button" className={styles.bar} onClick={toBottom}>
          <Icon of={ArrowDownToLine} size={20} />
          {t('chat.newMessages', { count: newCount })}
        </button>
      )}
    </div>
  );
}

function Rows({ conversation, state }: ListProps) {
  const { t } = useText();
  const { items, pending, endedSession, readUpTo } = state;
  const rows = useMemo(() => rowsOf(items, endedSession), [items, endedSession]);
  if (state.phase === 'failed')
    return (
      <div className={styles.state}>
        <p>{t('chat.loadFailed')}</p>
        <Button tone="soft" isSmall onClick={() => void conversation.catchUp()}>
          {t('btn.retry')}
        </Button>
      </div>
    );
  if (state.phase === 'loading') return <p className={styles.quiet}>{t('state.loading')}</p>;
  if (items.length === 0 && pending.length === 0)
    return (
      <div className={styles.state}>
        <BrandMark />
        <h3>{t('chat.hello')}</h3>
        <p>{t('chat.helloHint')}</p>
      </div>
    );
  return rows.map((row) => {
    if (row.kind === 'end')
      return (
        <p key={row.key} className={styles.end}>
          {t('chat.end')}
        </p>
      );
    if (row.kind === 'day')
      return (
        <p key={row.key} className={styles.day}>
          <span>{row.day}</span>
        </p>
      );
    const isRead = readUpTo !== null && !isAfter(row.item._id, readUpTo);
    return <ItemRow key={row.key} row={row} isRead={isRead} onPostback={conversation.postback} />;
  });
}

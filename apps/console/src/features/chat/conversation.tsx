import { codeOf } from '@krapao/ui/api/api-error.ts';
import { dateText, dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Button, Group, Loader, Text } from '@mantine/core';
import { ReadError } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useIsTyping } from '../../platform/typing.ts';
import { MessageBody } from './bubble.tsx';
import styles from './chat.module.css';
import { Composer } from './composer.tsx';
import { HeadActions } from './head-actions.tsx';
import { useNameOf } from './list.tsx';
import { lastOfCustomer, layOut, type Shown } from './rows.ts';
import { TeamTag } from './teams.tsx';
import type { ChatRow, Head } from './types.ts';
import { useShown } from './unsent.ts';
import {
  useChatAction,
  useHead,
  useNoteSaving,
  useReading,
  useRows,
  useSending,
} from './use-conversation.ts';
import { useScroll } from './use-scroll.ts';

const TIME = /\d\d:\d\d:\d\d/;
const timeText = (at: string): string => TIME.exec(dateTimeText(at))?.[0] ?? '';

function RowShown({ of: row, head }: { of: ChatRow; head: Head }) {
  const { t } = useText();
  const side = row.sender;
  const isRead = side === 'agent' && BigInt(row.id) <= BigInt(head.customerReadUpTo ?? '0');
  const by = side === 'customer' ? null : (row.by ?? t('chats.automatic'));
  return (
    <>
      <div className={styles.bubble} data-side={side}>
        {side === 'note' && (
          <Text size="xs" fw={600}>
            {t('chats.noteMark')}
          </Text>
        )}
        <MessageBody of={row.message} />
      </div>
      <span className={styles.under} data-side={side}>
        {[by, timeText(row.createdAt), isRead && t('chats.read')].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}

function One({
  of: shown,
  head,
  sending,
}: {
  of: Shown;
  head: Head;
  sending: ReturnType<typeof useSending>;
}) {
  const { t } = useText();
  if (shown.kind === 'day') return <span className={styles.mark}>{dateText(shown.at)}</span>;
  if (shown.kind === 'end') return <span className={styles.mark}>{t('chats.ended')}</span>;
  if (shown.kind === 'line') return <RowShown of={shown.row} head={head} />;
  const { pending } = shown;
  return (
    <>
      <div className={styles.bubble} data-side="agent" data-status={pending.status}>
        <MessageBody of={pending.message} />
      </div>
      <span className={styles.under} data-side="agent">
        {pending.status === 'sending' ? (
          t('chats.sending')
        ) : (
          <Group gap="xs">
            <Text size="sm" c="var(--bad)">
              {t('chats.failed')}
            </Text>
            <Button size="compact-sm" variant="subtle" onClick={() => sending.again(pending)}>
              {t('chats.again')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => sending.remove(pending)}>
              {t('chats.remove')}
            </Button>
          </Group>
        )}
      </span>
    </>
  );
}

/** Another agent has the conversation: one answers only after taking it over. */
function TakeOver({
  of: { chat, agents },
  perform,
}: {
  of: Head;
  perform: ReturnType<typeof useChatAction>;
}) {
  const { t } = useText();
  const me = useMe();
  const own = agents.find(({ name }) => name === me.name);
  const take = () =>
    void perform(() =>
      api('POST /api/operator/chats/{id}/transfer', {
        params: { id: chat.id },
        body: { operator: own?.id ?? null },
      }),
    ).catch(() => undefined);
  return (
    <Group className={styles.composer} justify="space-between">
      <Text size="sm">{t('chats.with', { name: chat.assignee?.name ?? '' })}</Text>
      <Button disabled={!own} onClick={take}>
        {t('chats.takeOver')}
      </Button>
    </Group>
  );
}

/** One conversation: messages, notes, and the composer. */
export function Conversation({ id }: { id: string }) {
  const { t } = useText();
  const me = useMe();
  const canReply = may(me, 'chat.answer');
  const nameOf = useNameOf();
  const head = useHead(id);
  const rows = useRows(id);
  const name = head.data ? nameOf(head.data.chat) : '';
  const sending = useSending(id, name);
  const saveNote = useNoteSaving(id, name);
  const perform = useChatAction();
  useShown(id);
  useReading(id, canReply ? (head.data?.chat.unread ?? 0) : 0, head.dataUpdatedAt);
  const shown = layOut(rows.data?.pages.flatMap(({ messages }) => messages) ?? [], sending.pending);
  const newest = shown.at(-1);
  const isTyping = useIsTyping(id, lastOfCustomer(shown));
  const box = useScroll({ count: shown.length, last: newest?.key, isOwn: newest?.kind === 'pending' });
  if (head.error && codeOf(head.error) === 'NO_DATA')
    return <div className={styles.empty}>{t('chats.merged')}</div>;
  if (!head.data)
    return <div className={styles.empty}>{head.error ? <ReadError of={head} /> : <Loader size="sm" />}</div>;
  const { chat } = head.data;
  return (
    <section className={styles.conversation} aria-label={name}>
      <div className={styles.head}>
        <Box>
          <Group gap="xs">
            <Text fw={700}>{name}</Text>
            <TeamTag of={chat} />
          </Group>
          <Text size="xs" c="dimmed">
            {[
              t(`chatState.${chat.state}`),
              t(head.data.isThere ? 'chats.there' : 'chats.gone'),
              chat.assignee && t('chats.with', { name: chat.assignee.name }),
              chat.language && t(`chatLanguage.${chat.language}`),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Box>
        {canReply && <HeadActions of={head.data} perform={perform} />}
        <ReadError of={head.error ? head : rows} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
      <div className={styles.rows} ref={box} tabIndex={0}>
        {rows.hasNextPage && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={rows.isFetchingNextPage}
            onClick={() => void rows.fetchNextPage()}
          >
            {t('chats.earlier')}
          </Button>
        )}
        {shown.map((one) => (
          <One key={one.key} of={one} head={head.data} sending={sending} />
        ))}
        {isTyping && <span className={styles.under}>{t('chats.typing')}</span>}
      </div>
      {canReply && chat.assignee && chat.assignee.name !== me.name ? (
        <TakeOver of={head.data} perform={perform} />
      ) : canReply ? (
        <Composer key={id} id={id} onSend={sending.send} onNote={saveNote} />
      ) : (
        <Text className={styles.composer} size="sm" c="dimmed">
          {t('chats.lookOnly')}
        </Text>
      )}
    </section>
  );
}

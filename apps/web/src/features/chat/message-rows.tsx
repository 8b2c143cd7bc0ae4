import { cx } from '@krapao/ui/components/class-names.ts';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { timeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { CircleAlert, Film, RotateCcw, Trash, X } from 'lucide';
import type { Conversation } from './conversation.ts';
import { MessageContent } from './message-content.tsx';
import styles from './message-rows.module.css';
import { viewOf } from './message-view.ts';
import type { Row } from './rows.ts';
import type { Pending } from './state.ts';

interface ItemRowProps {
  row: Extract<Row, { kind: 'item' }>;
  isRead: boolean;
  onPostback: (title: string, payload: string) => void;
}

/** A message as the server keeps it, with its time below the last of several. */
export function ItemRow({ row, isRead, onPostback }: ItemRowProps) {
  const { t } = useText();
  const { item, isLast, hasReplies } = row;
  const isOwn = item.sender === 'customer';
  const texts = isOwn
    ? [timeText(item.createdAt), isRead && t('chat.read')]
    : [t('chat.agent'), timeText(item.createdAt)];
  return (
    <div className={cx(styles.row, isOwn && styles.own)}>
      <MessageContent
        view={viewOf(item.message)}
        isOwn={isOwn}
        hasReplies={hasReplies}
        onPostback={onPostback}
      />
      {isLast && <p className={styles.below}>{texts.filter(Boolean).join(' · ')}</p>}
    </div>
  );
}

/** A message on its way, or one that did not arrive. */
export function PendingRow({ pending, conversation }: { pending: Pending; conversation: Conversation }) {
  const { t } = useText();
  const { id, status, share } = pending;
  const isRefused = status === 'refused';
  const isFailed = isRefused || status === 'failed';
  const doing =
    status === 'uploading_file'
      ? t('chat.uploading', { percent: Math.round(share * 100) })
      : t('chat.sending');
  return (
    <div className={cx(styles.row, styles.own)}>
      <div className={cx(styles.pending, isFailed && styles.failed)}>
        <PendingText pending={pending} />
        {isFailed && (
          <p className={styles.notSent} role="alert">
            <Icon of={CircleAlert} size={16} />
            {t('chat.failed')}
          </p>
        )}
        {status === 'uploading_file' && (
          <progress className={styles.progress} value={share} aria-label={doing} />
        )}
      </div>
      {isFailed && (
        <div className={styles.ways}>
          {!isRefused && (
            <button type="button" onClick={() => conversation.resend(id)}>
              <Icon of={RotateCcw} size={20} />
              {t('chat.resend')}
            </button>
          )}
          <button type="button" className={styles.remove} onClick={() => conversation.remove(id)}>
            <Icon of={Trash} size={20} />
            {t('chat.remove')}
          </button>
        </div>
      )}
      {!isFailed && <p className={styles.below}>{doing}</p>}
      {status === 'uploading_file' && (
        <div className={styles.ways}>
          <button type="button" onClick={() => conversation.remove(id)}>
            <Icon of={X} size={20} />
            {t('chat.stop')}
          </button>
        </div>
      )}
    </div>
  );
}

function PendingText({ pending: { file, message } }: { pending: Pending }) {
  const view = viewOf(message);
  if (!file) return <p className={styles.texts}>{view.kind === 'text' && view.text}</p>;
  return (
    <div className={styles.file}>
      {file.preview ? (
        <img src={file.preview} alt="" width="52" height="52" />
      ) : (
        <span className={styles.film}>
          <Icon of={Film} />
        </span>
      )}
      <p className={styles.name}>{file.file.name}</p>
    </div>
  );
}

import { BrandMark } from '@krapao/ui/components/brand-mark.tsx';
import { IconButton } from '@krapao/ui/components/button.tsx';
import { cx } from '@krapao/ui/components/class-names.ts';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { RefreshCw, X } from 'lucide';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { type ChatConfig, chatConfig } from './chat-config.ts';
import styles from './chat-panel.module.css';
import { Composer } from './composer.tsx';
import { type Conversation, createConversation } from './conversation.ts';
import { Frame, WIDE } from './frame.tsx';
import { MessageList } from './message-list.tsx';

interface PanelProps {
  isOpen: boolean;
  /** A reference for the question; empty for none. */
  about: string;
  onClose: () => void;
}

/** The support chat. The conversation continues while the panel is closed, so that no message is lost. */
export default function ChatPanel({ isOpen, about, onClose }: PanelProps) {
  const { t } = useText();
  const fail = useRef((_error: unknown) => {});
  fail.current = (error) => showToast('bad', errorText(t, error));
  const [conversation] = useState(() => createConversation((error) => fail.current(error)));
  useEffect(() => conversation.start(), [conversation]);
  return (
    isOpen && <Panel conversation={conversation} about={about} onClose={onClose} onFailure={fail.current} />
  );
}

/** The presence of agents, as text of the header. */
function useStanding(isLost: boolean): { text: string; isOnline: boolean } {
  const { t } = useText();
  const [config, setConfig] = useState<ChatConfig | null>(null);
  useEffect(() => {
    chatConfig(true).then(setConfig, () => undefined);
  }, []);
  if (!config) return { text: t('chat.title'), isOnline: false };
  const { isOnline, answerMinutes, hours } = config;
  if (isLost) return { text: t('chat.reconnecting'), isOnline: false };
  if (isOnline)
    return {
      isOnline,
      text: answerMinutes ? t('chat.repliesIn', { minutes: answerMinutes }) : t('chat.online'),
    };
  const windows = hours.map(({ from, to }) => `${from}–${to}`).join(', ');
  return { isOnline, text: windows ? t('chat.awayUntil', { hours: windows }) : t('chat.away') };
}

interface OpenProps {
  conversation: Conversation;
  about: string;
  onClose: () => void;
  onFailure: (error: unknown) => void;
}

function Panel({ conversation, about, onClose, onFailure }: OpenProps) {
  const titleId = useId();
  const state = useSyncExternalStore(conversation.subscribe, conversation.read);
  return (
    <Frame titleId={titleId} onClose={onClose}>
      <Head
        titleId={titleId}
        isLost={state.isLost}
        isRefreshing={state.isRefreshing}
        onRefresh={() => conversation.refresh().catch(onFailure)}
        onClose={onClose}
      />
      <MessageList conversation={conversation} state={state} />
      <Composer key={about} conversation={conversation} about={about} onFailure={onFailure} />
    </Frame>
  );
}

interface HeadProps {
  titleId: string;
  isLost: boolean;
  isRefreshing: boolean;
  onRefresh: () => void;
  onClose: () => void;
}

/**
 * The sign in the panel's head. Over a phone's page, where the panel lies on the button that opened it, it takes that
 * button's place: the next press closes.
 */
function Mark({ isOnline, onClose }: { isOnline: boolean; onClose: () => void }) {
  const { t } = useText();
  const [isWide] = useState(() => matchMedia(WIDE).matches);
  const sign = (
    <span className={styles.mark}>
      <BrandMark />
      {isOnline && <span className={styles.dot} />}
    </span>
  );
  if (isWide) return sign;
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-label={t('chat.launcher')}
      aria-expanded
      onClick={onClose}
    >
      {sign}
    </button>
  );
}

function Head({ titleId, isLost, isRefreshing, onRefresh, onClose }: HeadProps) {
  const { t } = useText();
  const { text, isOnline } = useStanding(isLost);
  return (
    <header className={styles.head}>
      {/* First, so that it has the focus when the panel opens; the sign is drawn before it. */}
      <div className={styles.title}>
        <h2 id={titleId} tabIndex={-1}>
          {t('chat.launcher')}
        </h2>
        <p role="status">{text}</p>
      </div>
      <Mark isOnline={isOnline} onClose={onClose} />
      <IconButton
        icon={RefreshCw}
        label={t('btn.refresh')}
        className={cx(isRefreshing && styles.turning)}
        disabled={isRefreshing}
        onClick={onRefresh}
      />
      <IconButton icon={X} label={t('btn.close')} onClick={onClose} />
    </header>
  );
}

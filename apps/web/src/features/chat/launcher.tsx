import { BrandMark } from '@krapao/ui/components/brand-mark.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { Waiting } from '@krapao/ui/components/waiting.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useHistoryState } from 'wouter/use-browser-location';
import { api } from '../../platform/api.ts';
import { onConnection } from '../../platform/connection.ts';
import { wantAllMessages } from '../../platform/language.ts';
import { whenOnline } from '../../platform/online.ts';
import { CHAT_PLACE } from '../../platform/places.ts';
import { prefetch } from '../../platform/prefetch.ts';
import { reloadPage } from '../../platform/reload.ts';
import { onSessionChange, sessionToken } from '../../platform/session.ts';
import { usePlace } from '../../platform/use-place.ts';
import styles from './launcher.module.css';
import { asCustomer, chatApi, hasConversation, isGuest, onBarred } from './who.ts';

/** Without its file the page is loaded again, with the panel closed: the next press loads it again. */
const ChatPanel = lazy(async () => {
  await whenOnline();
  try {
    return await import('./chat-panel.tsx');
  } catch {
    history.replaceState(null, '');
    return reloadPage();
  }
});

const AGAIN_MS = 5_000;
const SPREAD_MS = 1_000;
/** By then a panel that has just been closed has reported what was read in it. */
const READ_MS = 1_000;

const openPanel = () => history.pushState({ chat: true }, '');
const closePanel = () => history.back();

/**
 * Whether the operators offer the chat; read again when they change what is open, and after a failure until there is a
 * response, at once when the chat is wanted.
 */
function useWidget(isWanted: boolean): boolean {
  const [isOn, setOn] = useState(false);
  const isMissing = isWanted && !isOn;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is wanted and missing is read again at once
  useEffect(() => {
    let isGone = false;
    const poll = () =>
      whenOnline()
        .then(() => Promise.all([api('GET /api/lookup/enableChatWidget'), prefetch(wantAllMessages)]))
        .then(
          ([response]) => setOn(response === true),
          () => {
            if (!isGone) timer = setTimeout(poll, AGAIN_MS);
          },
        );
    let timer: ReturnType<typeof setTimeout> | undefined;
    void poll();
    const onSite = ({ part }: { part: string }) => {
      if (part !== 'settings') return;
      clearTimeout(timer);
      // All members receive the event at once; their reads are spread.
      timer = setTimeout(poll, Math.random() * SPREAD_MS);
    };
    const leave = onConnection((connection) => {
      connection.on('site', onSite);
      return () => connection.off('site', onSite);
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
      leave();
    };
  }, [isMissing]);
  return isOn;
}

/** The number of unread messages, and whether a conversation is open; read at the start, on return, and when it may have changed. */
function useUnread(isOpen: boolean): { unread: number; isTalking: boolean } {
  const [known, setKnown] = useState({ unread: 0, isTalking: false });
  const poll = useCallback(() => {
    if (!hasConversation() || document.hidden) return;
    asCustomer((who) => chatApi('POST /api/chat/unread', { body: who })).then(
      (response) => setKnown({ unread: response.unread, isTalking: response.isOpen }),
      () => undefined,
    );
  }, []);
  useEffect(() => {
    if (isOpen) return setKnown((before) => ({ ...before, unread: 0 }));
    const timer = setTimeout(poll, READ_MS);
    document.addEventListener('visibilitychange', poll);
    const onState = ({ kind }: { kind: string }) => {
      if (kind === 'merged') poll();
    };
    const leave = onConnection((connection) => {
      connection.on('messaging', poll).on('connect', poll).on('chat', onState);
      return () => connection.off('messaging', poll).off('connect', poll).off('chat', onState);
    });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', poll);
      leave();
    };
  }, [isOpen, poll]);
  return known;
}

/** Opens a visitor's live line as soon as it can be had. Returns the way to close it. */
function keepGuestConnection(): () => void {
  let isGone = false;
  let close = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    import('./guest-line.ts')
      .then((file) => file.openGuestConnection())
      .then(
        (opened) => {
          if (isGone) opened();
          else close = opened;
        },
        () => {
          if (!isGone) timer = setTimeout(open, AGAIN_MS);
        },
      );
  };
  open();
  return () => {
    isGone = true;
    clearTimeout(timer);
    close();
  };
}

/** Keeps a guest's live line while they talk; members have theirs. */
function useGuestConnection(isWanted: boolean): void {
  const needed = useSyncExternalStore(onBarred, isGuest) && isWanted;
  useEffect(() => (needed ? keepGuestConnection() : undefined), [needed]);
}

/**
 * The button of the support chat for the member or guest of the page, and its panel once it has been opened. It is in the
 * bar at the head of each page, which stays on the screen, so that it never lies over anything.
 */
export default function ChatLauncher() {
  const token = useSyncExternalStore(onSessionChange, sessionToken, () => null);
  const state = useHistoryState<Opened | null>();
  const isOn = useWidget(state?.chat === true);
  return isOn && <Chat key={token ?? ''} about={state?.about ?? ''} isOpen={state?.chat === true} />;
}

/** The open panel in the browser's history, and the reference it was opened about. */
interface Opened {
  chat?: true;
  about?: string;
}

function Chat({ isOpen, about }: { isOpen: boolean; about: string }) {
  const { t } = useText();
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  const { unread, isTalking } = useUnread(isOpen);
  useGuestConnection(wasOpened || isTalking);
  const place = usePlace(CHAT_PLACE);
  const open = () => {
    if (!wasOpened && !navigator.onLine) showToast('bad', t('error.network'));
    openPanel();
  };
  const hasBadge = unread > 0 && !isOpen;
  return (
    <>
      {place &&
        createPortal(
          <button
            type="button"
            className={styles.launcher}
            aria-expanded={isOpen}
            onClick={isOpen ? closePanel : open}
          >
            <BrandMark />
            <span className={styles.texts}>{t('chat.launcher')}</span>
            {hasBadge && (
              <span className={styles.badge} role="img" aria-label={t('chat.unread', { count: unread })}>
                {Math.min(unread, 99)}
              </span>
            )}
          </button>,
          place,
        )}
      {wasOpened && (
        <Suspense fallback={isOpen && <Waiting />}>
          <ChatPanel isOpen={isOpen} about={about} onClose={closePanel} />
        </Suspense>
      )}
    </>
  );
}

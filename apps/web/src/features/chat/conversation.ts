import { type LiveConnection, onConnection } from '../../platform/connection.ts';
import { createHistory, type History } from './history.ts';
import { createReading } from './reading.ts';
import { createSending } from './sending.ts';
import { type ConversationState, type Item, isAfter, withItems } from './state.ts';
import { createStore, type Store } from './store.ts';
import { asCustomer, chatApi } from './who.ts';

const CHECK_MS = 5_000;
const TYPING_SHOWN_MS = 4_000;
const TYPING_EVERY_MS = 2_000;

/** The events of the live connection about the conversation. */
function createEar(store: Store, history: History, onMerge: () => void) {
  let typing: ReturnType<typeof setTimeout> | undefined;
  const onMessage = (item: Item) => {
    store.change((state) => ({
      ...withItems(state, [item]),
      isTyping: item.sender === 'agent' ? false : state.isTyping,
      endedSession: item.session_id === state.endedSession ? state.endedSession : null,
    }));
  };
  const onState = (event: { kind: string; upTo?: string }) => {
    if (event.kind === 'read' && event.upTo && isAfter(event.upTo, store.read().readUpTo))
      store.set({ readUpTo: event.upTo });
    else if (event.kind === 'typing') {
      clearTimeout(typing);
      store.set({ isTyping: true });
      typing = setTimeout(() => store.set({ isTyping: false }), TYPING_SHOWN_MS);
    } else if (event.kind === 'ended') void history.catchUp();
    else if (event.kind === 'merged') onMerge();
  };
  return { onMessage, onState, stop: () => clearTimeout(typing) };
}

/** One customer's conversation in this page: its state, what can be done with it, and its ear on the live line. */
export function createConversation(onFailure: (error: unknown) => void) {
  const store = createStore();
  const history = createHistory(store);
  const sending = createSending(store, onFailure);
  const reading = createReading((upTo) =>
    asCustomer((who) => chatApi('PUT /api/chat/read-customer/', { body: { ...who, upTo } })),
  );
  let row: LiveConnection | null = null;
  let typedAt = 0;
  let draft = '';

  /** A merge moves messages to places before others, and unread ones before those that were seen. */
  const afterMerge = () => {
    reading.again();
    void history.readAgain();
  };
  const ear = createEar(store, history, afterMerge);
  const use = (next: LiveConnection) => {
    row = next;
    const up = () => {
      store.set({ isLost: false });
      // Without a connection no event reports a merge.
      afterMerge();
    };
    const down = () => store.set({ isLost: true });
    next.on('connect', up).on('disconnect', down).on('messaging', ear.onMessage).on('chat', ear.onState);
    if (next.connected) up();
    return () => {
      row = null;
      next
        .off('connect', up)
        .off('disconnect', down)
        .off('messaging', ear.onMessage)
        .off('chat', ear.onState);
    };
  };
  /** A closed connection is opened again; until then the history is polled. */
  const check = () => {
    if (row?.connected || document.hidden) return;
    store.set({ isLost: true });
    row?.connect();
    void history.catchUp();
  };
  const back = () => {
    if (!document.hidden) void history.catchUp();
  };
  return {
    read: (): ConversationState => store.read(),
    subscribe: store.subscribe,
    ...history,
    ...sending,
    seen: reading.seen,
    flush: reading.flush,
    /** What the customer has written and not sent; it outlives the panel and ends with the session. */
    draft: () => draft,
    /** Stores what the customer writes. */
    setDraft(text: string) {
      draft = text;
    },
    /** Tells agents that the customer writes. */
    typing() {
      if (!row?.connected || Date.now() - typedAt < TYPING_EVERY_MS) return;
      typedAt = Date.now();
      row.emit('typing');
    },
    /** Listens until the answer is called. */
    start(): () => void {
      const leave = onConnection(use);
      if (!row?.connected) void history.catchUp();
      const timer = setInterval(check, CHECK_MS);
      document.addEventListener('visibilitychange', back);
      return () => {
        leave();
        clearInterval(timer);
        ear.stop();
        document.removeEventListener('visibilitychange', back);
      };
    },
  };
}

export type Conversation = ReturnType<typeof createConversation>;

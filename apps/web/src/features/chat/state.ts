import type { MemberApi } from '@krapao/contract/member';
import type { ChatFile } from './file-rules.ts';

/** A message as the server keeps it. */
export type Item = MemberApi['POST /api/chat/history']['reply'][number];
type Sent = MemberApi['POST /api/chat/send-message'];
/** The messages a customer may send. */
export type Message =
  | { message_type: 'text'; payload: { message: string } }
  | { message_type: 'postback'; payload: { title: string; message: string } }
  | {
      message_type: 'media';
      payload: { message: string; url: boolean; fileType: 'image' | 'video'; filePath: string };
    };
export type Stamp = Sent['reply'];

/** A message on its way; `id` is the client's and stays the same however often it is sent. */
export interface Pending {
  id: string;
  message: Message;
  /** failed: may be sent again; refused: the server never takes it. */
  status: 'uploading_file' | 'sending' | 'failed' | 'refused';
  /** How much of its file has left this device, 0 to 1. */
  share: number;
  file?: ChatFile;
}

export interface ConversationState {
  /** The known messages, in the server's order. */
  items: readonly Item[];
  /** Local messages without a place in that order yet. */
  pending: readonly Pending[];
  phase: 'loading' | 'ready' | 'failed';
  hasEarlier: boolean;
  isLoadingEarlier: boolean;
  isRefreshing: boolean;
  /** Whether the live line was there and is not, or does not come. */
  isLost: boolean;
  isTyping: boolean;
  /** The last message agents have read. */
  readUpTo: string | null;
  /** The session that has ended last, if none is open now. */
  endedSession: string | null;
}

export const EMPTY: ConversationState = {
  items: [],
  pending: [],
  phase: 'loading',
  hasEarlier: false,
  isLoadingEarlier: false,
  isRefreshing: false,
  isLost: false,
  isTyping: false,
  readUpTo: null,
  endedSession: null,
};

/** Compares two messages' places in their conversation. */
export const isAfter = (id: string, other: string | null | undefined): boolean =>
  other === null || other === undefined || Number(id) > Number(other);

/** The newest message's id, or null. */
export const newestId = (items: readonly Item[]): string | null => items.at(-1)?._id ?? null;

/**
 * Adds what a page of the history or an event brought: nothing twice, in the server's order. What is known stays as it
 * is, so that pictures are not loaded again; `isFresh` replaces it, for links that have run out.
 */
export function withItems(
  state: ConversationState,
  news: readonly Item[],
  isFresh = false,
): ConversationState {
  const known = new Map(state.items.map((item) => [item._id, item]));
  for (const item of news) if (isFresh || !known.has(item._id)) known.set(item._id, item);
  const items = [...known.values()].sort((a, b) => Number(a._id) - Number(b._id));
  const arrived = new Set(items.map((item) => item.message.deliver?.id));
  return { ...state, items, pending: state.pending.filter(({ id }) => !arrived.has(id)) };
}

/** Gives a message on its way the place and the time the server answered. */
export function withStamp(state: ConversationState, pending: Pending, stamp: Stamp): ConversationState {
  const item: Item = {
    _id: stamp._id,
    sender: 'customer',
    message: { ...pending.message, deliver: { id: pending.id } },
    userId: null,
    guestId: null,
    username: null,
    name: null,
    createdAt: stamp.createdAt,
    session_id: stamp.session_id,
  };
  return withItems(state, [item]);
}

/** Changes a message on its way, or takes it out with null. */
export const withPending = (
  state: ConversationState,
  id: string,
  change: Partial<Pending> | null,
): ConversationState => ({
  ...state,
  pending: change
    ? state.pending.map((one) => (one.id === id ? { ...one, ...change } : one))
    : state.pending.filter((one) => one.id !== id),
});

/** Agents' messages after one that was seen. */
export const countNew = (items: readonly Item[], seen: string | null): number =>
  items.filter((item) => item.sender === 'agent' && isAfter(item._id, seen)).length;

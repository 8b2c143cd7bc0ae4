import type { Static } from 'typebox';
import type { ChatItem } from './chat.ts';

type ChatItemEvent = Static<typeof ChatItem>;

/** What the member's room receives over the live socket. An event is a hint; the next read is the truth. */
export interface MemberEvents {
  /** A balance changed. `version` grows with every change of the wallet; the newer one wins. */
  wallet: (event: { amount: number; version: number }) => void;
  /** A row of the statement changed state. */
  notice: (event: {
    /** `invite`: what an invited member earns this one has come, or is gone; no row of the statement. */
    kind: 'deposit' | 'withdraw' | 'transfer' | 'invite';
    id: string;
    status: 'PENDING' | 'PROCESSING' | 'REVIEW' | 'SUCCESS' | 'FAILED';
    amount: number;
    /** For a paid QR: which one. */
    qrcodeId?: string;
  }) => void;
  /** What everybody is shown has changed: words and banners, the games on offer, or what is open at all. */
  site: (event: { part: 'words' | 'games' | 'settings' | 'bonuses' }) => void;
  /** Somebody logged in from a new device, or such a login was confirmed: where the member is logged in is another. */
  login: (event: Record<string, never>) => void;
  /** A message of the talk whose room this socket has joined, in the order of its `_id`. */
  messaging: (event: ChatItemEvent) => void;
  /** Somebody types, has read up to a message, or the session has ended; a guest's talk has joined a member's. */
  chat: (
    event: { kind: 'typing' } | { kind: 'read'; upTo: string } | { kind: 'ended' } | { kind: 'merged' },
  ) => void;
  /** The session behind this socket has ended; `message` is the code to show. */
  ended: (event: { message: string }) => void;
}

/** What a screen tells the server. */
export interface ScreenEvents {
  /** Asks into a room, PREFIX-<id>: a member's own id, or a guest's secret; anything else joins nothing. */
  join: (room: string) => void;
  /** The customer is writing. */
  typing: () => void;
}

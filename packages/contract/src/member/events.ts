import { type Static, Type } from 'typebox';
import type { StatementStatus } from '../shared/statuses.ts';
import type { ChatItem } from './chat.ts';

type ChatItemEvent = Static<typeof ChatItem>;

/** What the member's room receives over the live socket. An event is a hint; the next read is the truth. */
export interface MemberEvents {
  /**
   * A balance changed. `version` grows with every change of the wallet; the newer one wins. `onTheWay` is what this change
   * has sent to a game.
   */
  wallet: (event: { amount: number; version: number; onTheWay?: number }) => void;
  /** A row of the statement changed state. */
  notice: (event: {
    /**
     * `invite`: what an invited member earns this one has come, or is gone; `coins`: their number, or that
     * of coupons, has changed. Neither is a row of the statement.
     */
    kind: 'deposit' | 'withdraw' | 'transfer' | 'invite' | 'coins';
    id: string;
    status: StatementStatus;
    amount: number;
    /** For a paid QR: which one. */
    qrcodeId?: string;
  }) => void;
  /** Shared content has changed: texts and banners, games, the wheel that turns, or what is open. */
  site: (event: { part: 'words' | 'games' | 'settings' | 'bonuses' | 'wheel' }) => void;
  /** The member's open QR was made or cancelled, on any device; clients read the open QR again. */
  qr: (event: Record<string, never>) => void;
  /** Somebody logged in from a new device, or such a login was confirmed: where the member is logged in is another. */
  login: (event: Record<string, never>) => void;
  /** Documents were requested, or the identity check was decided. */
  kyc: (event: Record<string, never>) => void;
  /** A request for another bank account was made, or withdrawn by the member. */
  account: (event: Record<string, never>) => void;
  /** A slip was refused after the call that handed it in. */
  slip: (event: Record<string, never>) => void;
  /** A message of the conversation whose room this socket has joined, in the order of its `_id`. */
  messaging: (event: ChatItemEvent) => void;
  /** Somebody types, has read up to a message, or the session has ended; a guest's conversation was merged into another. */
  chat: (
    event: { kind: 'typing' } | { kind: 'read'; upTo: string } | { kind: 'ended' } | { kind: 'merged' },
  ) => void;
  /** The session behind this socket has ended; `message` is the code to show. */
  ended: (event: { message: string }) => void;
  /** An event of this socket was refused, and it had no acknowledgement callback; see `ScreenEventResult`. */
  event_error: (event: { message: string }) => void;
}

/**
 * Every event a client may send, with its arguments in order. The server accepts nothing else: an unknown event or
 * other arguments are answered INVALID_REQUEST and reach no handler.
 */
export const SCREEN_EVENTS = {
  /** Joins a room, PREFIX-<id>: a member's own id, or a guest's secret; anything else joins nothing. */
  join: Type.Tuple([Type.String({ maxLength: 160 })]),
  /** The customer is writing. */
  typing: Type.Tuple([]),
};

/**
 * How an event is answered: OK, INVALID_REQUEST (unknown event or malformed arguments), REQUEST_LIMIT (too many
 * events) or INTERNAL_SERVER_ERROR. It goes to the acknowledgement callback if the client sent one; without one,
 * errors arrive as the event `event_error` and success is silent.
 */
export type ScreenEventResult = {
  message: 'OK' | 'INVALID_REQUEST' | 'REQUEST_LIMIT' | 'INTERNAL_SERVER_ERROR';
};

/** What a client may send, typed for socket.io. */
export type ScreenEvents = {
  [Name in keyof typeof SCREEN_EVENTS]: (
    ...args: [...Static<(typeof SCREEN_EVENTS)[Name]>, acknowledge?: (result: ScreenEventResult) => void]
  ) => void;
};

import type { MemberEvents, ScreenEvents } from '@krapao/contract/member';
import type { Socket } from 'socket.io-client';

/** The live connection of this page: that of a member by token, or of a guest who joined a conversation. */
export type LiveConnection = Socket<MemberEvents, ScreenEvents>;

let connection: LiveConnection | null = null;
const readers = new Set<(connection: LiveConnection | null) => void>();

function put(next: LiveConnection | null): void {
  connection = next;
  for (const reader of [...readers]) reader(connection);
}

/** How long after a refusal the next try starts, in ms; the ones after it later. */
const AGAIN_MS = 500;
const AGAIN_MAX_MS = 30_000;

/**
 * Connects again after the server has refused or ended the connection, which the client of socket.io leaves to the page:
 * the database may have been away, or too many connections open. Lost connections it takes up by itself.
 */
function connectAgain(socket: LiveConnection, closing: AbortSignal): void {
  let delayMs = AGAIN_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    if (socket.active || closing.aborted) return;
    timer = setTimeout(() => socket.connect(), delayMs * (0.5 + Math.random()));
    delayMs = Math.min(delayMs * 2, AGAIN_MAX_MS);
  };
  socket.on('connect', () => {
    delayMs = AGAIN_MS;
  });
  socket.on('connect_error', schedule);
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') schedule();
  });
  closing.addEventListener('abort', () => clearTimeout(timer));
}

/** Makes this the connection of the page and reconnects as soon as the device is online again. Returns how to close it. */
export function setConnection(next: LiveConnection): () => void {
  const closing = new AbortController();
  connectAgain(next, closing.signal);
  // Its own next try may be more than 5 s away by then. Connecting alone does not bring that forward.
  const takeUp = () => {
    if (!next.connected) next.disconnect().connect();
  };
  addEventListener('online', takeUp, { signal: closing.signal });
  put(next);
  return () => {
    closing.abort();
    next.close();
    if (connection === next) put(null);
  };
}

/** Calls `use` with the connection as soon as there is one and with every other after it, and what it answered before the next. */
export function onConnection(use: (connection: LiveConnection) => () => void): () => void {
  let leave = connection ? use(connection) : undefined;
  const reader = (next: LiveConnection | null) => {
    leave?.();
    leave = next ? use(next) : undefined;
  };
  readers.add(reader);
  return () => {
    readers.delete(reader);
    leave?.();
  };
}

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

/** Makes this the connection of the page and reconnects as soon as the device is online again. Returns how to close it. */
export function setConnection(next: LiveConnection): () => void {
  const closing = new AbortController();
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

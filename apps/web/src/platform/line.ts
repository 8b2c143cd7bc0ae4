import type { MemberEvents, ScreenEvents } from '@krapao/contract/member';
import type { Socket } from 'socket.io-client';

/** The live connection of this page: a member's with his token, or a guest's that has joined his talk. */
export type Line = Socket<MemberEvents, ScreenEvents>;

let line: Line | null = null;
const readers = new Set<(line: Line | null) => void>();

function put(next: Line | null): void {
  line = next;
  for (const reader of [...readers]) reader(line);
}

/** Makes this the page's line, taken up anew as soon as the device is online again. Answers the way to close it. */
export function setLine(next: Line): () => void {
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
    if (line === next) put(null);
  };
}

/** Calls `use` with the line as soon as there is one and with every other after it, and what it answered before the next. */
export function onLine(use: (line: Line) => () => void): () => void {
  let leave = line ? use(line) : undefined;
  const reader = (next: Line | null) => {
    leave?.();
    leave = next ? use(next) : undefined;
  };
  readers.add(reader);
  return () => {
    readers.delete(reader);
    leave?.();
  };
}

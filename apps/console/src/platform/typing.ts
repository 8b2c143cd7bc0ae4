import { useSyncExternalStore } from 'react';

/** For how long somebody counts as writing after he was heard. */
const WRITES_MS = 4_000;

const heard = new Map<string, number>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Somebody writes in a conversation. */
export function noteTyping(id: string): void {
  heard.set(id, Date.now());
  tell();
  setTimeout(tell, WRITES_MS + 50);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the customer of a conversation is writing. */
export const useIsTyping = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => Date.now() - (heard.get(id) ?? 0) < WRITES_MS);

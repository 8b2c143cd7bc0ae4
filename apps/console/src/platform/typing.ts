import { useEffect, useRef, useSyncExternalStore } from 'react';

/** For how long somebody counts as writing after they were heard. */
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

/** Whether the customer of a conversation is writing. What they have said since, by its id or time, ends it. */
export function useIsTyping(id: string, said: string | undefined): boolean {
  const before = useRef(said);
  useEffect(() => {
    if (said === undefined || before.current === said) return;
    before.current = said;
    if (heard.delete(id)) tell();
  }, [id, said]);
  return useSyncExternalStore(subscribe, () => Date.now() - (heard.get(id) ?? 0) < WRITES_MS);
}

import { useEffect, useRef, useSyncExternalStore } from 'react';

/** For how long a person counts as writing after their last event. */
const WRITES_MS = 4_000;

const typingSince = new Map<string, number>();
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** A person is writing in a conversation. */
export function noteTyping(id: string): void {
  typingSince.set(id, Date.now());
  notify();
  setTimeout(notify, WRITES_MS + 50);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the customer of a conversation is writing. A newer message, by its id or time, ends it. */
export function useIsTyping(id: string, lastMessage: string | undefined): boolean {
  const before = useRef(lastMessage);
  useEffect(() => {
    if (lastMessage === undefined || before.current === lastMessage) return;
    before.current = lastMessage;
    if (typingSince.delete(id)) notify();
  }, [id, lastMessage]);
  return useSyncExternalStore(subscribe, () => Date.now() - (typingSince.get(id) ?? 0) < WRITES_MS);
}

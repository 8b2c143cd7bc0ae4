import { useEffect, useSyncExternalStore } from 'react';

let shown: string | null = null;
const listeners = new Set<() => void>();

function show(id: string | null): void {
  shown = id;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Keeps what is shown of a member up to date for as long as it is shown. */
export function useLiveMember(id: string | undefined): void {
  useEffect(() => {
    if (!id) return;
    show(id);
    return () => {
      if (shown === id) show(null);
    };
  }, [id]);
}

/** The member whose changes the console follows; null: none is shown. */
export const useShownMember = (): string | null => useSyncExternalStore(subscribe, () => shown);

import { useSyncExternalStore } from 'react';

/** Whether a media query holds now; false where there is no window. */
export function useMedia(query: string): boolean {
  const subscribe = (reader: () => void) => {
    const list = matchMedia(query);
    list.addEventListener('change', reader);
    return () => list.removeEventListener('change', reader);
  };
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}

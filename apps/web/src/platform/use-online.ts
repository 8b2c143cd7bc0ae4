import { useSyncExternalStore } from 'react';

function subscribe(reader: () => void): () => void {
  const controller = new AbortController();
  for (const event of ['online', 'offline']) addEventListener(event, reader, { signal: controller.signal });
  return () => controller.abort();
}

/** Whether the device has any network at all. */
export const useIsOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

import { useSyncExternalStore } from 'react';

function subscribe(reader: () => void): () => void {
  const observer = new MutationObserver(reader);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** The element with an id, while the page shown has one: each page brings a frame of its own. */
export const usePlace = (id: string): HTMLElement | null =>
  useSyncExternalStore(subscribe, () => document.getElementById(id));

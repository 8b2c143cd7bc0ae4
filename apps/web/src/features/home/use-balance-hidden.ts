import { useSyncExternalStore } from 'react';
import { config } from '../../platform/config.ts';
import { readCookie, writeCookie } from '../../platform/storage.ts';

const COOKIE = 'balance';
const readBalanceHidden = (): boolean => readCookie(COOKIE) === 'hidden';

const readers = new Set<() => void>();
/** The choice as last read, because React asks at each rendering and reading a cookie takes a phone some milliseconds. */
let known: boolean | undefined;

function isHidden(): boolean {
  known ??= readBalanceHidden();
  return known;
}

function readAgain(): void {
  known = readBalanceHidden();
  for (const reader of readers) reader();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  // Another tab may have changed the choice meanwhile.
  if (readers.size === 1) document.addEventListener('visibilitychange', readAgain);
  return () => {
    readers.delete(reader);
    if (readers.size === 0) document.removeEventListener('visibilitychange', readAgain);
  };
}

/** Whether balances are shown as dots. */
export const useBalanceHidden = (): boolean => useSyncExternalStore(subscribe, isHidden);

/** Hides or shows them, here and on the next visit. */
export function toggleBalanceHidden(): void {
  writeCookie(COOKIE, isHidden() ? null : 'hidden', config.isFramed);
  readAgain();
}

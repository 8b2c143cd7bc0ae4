import { useSyncExternalStore } from 'react';
import { readBalanceHidden, writeBalanceHidden } from '../../platform/preferences.ts';

const readers = new Set<() => void>();

/** Whether balances are shown as dots. */
export const useBalanceHidden = (): boolean =>
  useSyncExternalStore((reader) => {
    readers.add(reader);
    return () => readers.delete(reader);
  }, readBalanceHidden);

/** Hides or shows them, here and on the next visit. */
export function toggleBalanceHidden(): void {
  writeBalanceHidden(!readBalanceHidden());
  for (const reader of readers) reader();
}

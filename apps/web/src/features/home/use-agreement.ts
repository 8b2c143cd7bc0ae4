import { useEffect } from 'react';
import { openSheet } from '../../platform/sheet-state.ts';
import { readStored } from '../../platform/storage.ts';

const DELAY_MS = 1500;

/** Offers the agreement 1.5 s after the screen opens, unless it was accepted on this device. */
export function useAgreement(): void {
  useEffect(() => {
    if (readStored('remember-agreement') !== null) return;
    const timer = setTimeout(() => {
      if (!history.state?.sheet && readStored('remember-agreement') === null) openSheet('agreement');
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
}

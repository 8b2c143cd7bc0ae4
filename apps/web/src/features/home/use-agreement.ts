import { useEffect } from 'react';
import { openSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { readStored } from '../../platform/storage.ts';

const DELAY_MS = 1500;

/** Whether this device has accepted the agreements of a revision; the former plain mark means the first. */
function isAccepted(revision: number | null): boolean {
  const stored = readStored('remember-agreement');
  if (stored === null) return false;
  return revision === null || (Number(stored) || 1) >= revision;
}

/** Offers the agreement 1.5 s after the screen opens, unless the present one was accepted on this device. */
export function useAgreement(): void {
  const { agreement } = useSite();
  useEffect(() => {
    if (isAccepted(agreement)) return;
    const timer = setTimeout(() => {
      if (!history.state?.sheet && !isAccepted(agreement)) openSheet('agreement');
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [agreement]);
}

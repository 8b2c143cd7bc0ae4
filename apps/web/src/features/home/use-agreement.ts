import { useEffect, useRef } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
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

/**
 * Offers the agreement 1.5 s after the screen opens, or after a new one was published, unless the present one was
 * accepted on this device. An open sheet or conversation is not interrupted: it waits until they are closed.
 */
export function useAgreement(): void {
  const { agreement } = useSite();
  const { sheet, chat } = useHistoryState<{ sheet?: string; chat?: true } | null>() ?? {};
  /** The revision that was shown: closing it must not open it again. */
  const shown = useRef<number | null>(undefined);
  const isCalm = !sheet && !chat;
  useEffect(() => {
    if (sheet === 'agreement') shown.current = agreement;
    if (!isCalm || shown.current === agreement || isAccepted(agreement)) return;
    const timer = setTimeout(() => {
      if (!isAccepted(agreement)) openSheet('agreement');
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [agreement, sheet, isCalm]);
}

import { ToastHost } from '@krapao/ui/parts/toast.tsx';
import { useEffect } from 'react';
import { config } from '../platform/config.ts';
import { sessionToken } from '../platform/session.ts';

/** Long enough for the first screen to have had the line to itself. */
const AFTER_MS = 2000;

/** A visitor's browser keeps the few words that there is no connection; members keep more, see platform/worker.ts. */
function keepOfflineWords(): void {
  const isFramed = config.isFramed && self !== top;
  if (sessionToken() !== null || isFramed || import.meta.env.DEV) return;
  navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
}

/** What is no part of a first screen, so its code comes after it. */
export default function Late() {
  useEffect(() => {
    const timer = setTimeout(keepOfflineWords, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <ToastHost />;
}

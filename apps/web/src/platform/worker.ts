import { HOUR_MS } from '@krapao/contract/durations';
import { useSyncExternalStore } from 'react';
import { config } from './config.ts';

let waiting: ServiceWorker | null = null;
const readers = new Set<() => void>();

function offer(worker: ServiceWorker | null): void {
  // The first worker replaces none, so no confirmation is needed.
  if (!worker || !navigator.serviceWorker.controller) return;
  waiting = worker;
  for (const reader of readers) reader();
}

/** Whether a newer version of the app lies ready. */
export const useIsUpdateReady = (): boolean =>
  useSyncExternalStore(
    (reader) => {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    () => waiting !== null,
  );

/** The old worker first ends what it has begun, which may take long. */
const TAKE_OVER_MS = 3_000;

/**
 * Goes over to the version that lies ready; the page begins again. A worker that takes longer follows: pages come from
 * the server in any case.
 */
export function takeUpdate(): void {
  const beginAnew = () => location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', beginAnew, { once: true });
  setTimeout(beginAnew, TAKE_OVER_MS);
  waiting?.postMessage('take-over');
}

/** A page that stays open for days checks for a new version when it becomes visible again. */
function lookForUpdates(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < HOUR_MS) return;
    checkedAt = Date.now();
    registration.update().catch(() => undefined);
  });
}

let isStarted = false;

/**
 * Starts the worker and has it keep the whole shell; does nothing in a browser without one, in a frame, or in
 * development. A repeat changes nothing.
 */
export async function startWorker(): Promise<void> {
  const isFramed = config.isFramed && self !== top;
  if (isStarted || isFramed || import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  isStarted = true;
  const registration = await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  if (!registration) return;
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') offer(worker);
    });
  });
  lookForUpdates(registration);
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('keep-all');
}

import { ErrorReference, referenceIn } from '@krapao/ui/components/error-reference.tsx';
import { supportSlot } from '@krapao/ui/components/support-slot.ts';
import { ToastHost } from '@krapao/ui/components/toast.tsx';
import { useMedia } from '@krapao/ui/hooks/use-media.ts';
import { useEffect, useState } from 'react';
import { config } from '../platform/config.ts';
import { deferred } from '../platform/deferred.tsx';
import { i18n } from '../platform/i18n.ts';
import { wantAllMessages } from '../platform/language.ts';
import { isPrefetching } from '../platform/prefetch.ts';
import { sessionToken } from '../platform/session.ts';
import { openSupport } from '../platform/support.ts';

/** Unsubscribes the browser of a member whose session has ended, so that nothing in flight is shown to the next reader. */
export async function unsubscribe(): Promise<void> {
  const push = await import('../features/notifications/browser-push.ts');
  // Another member may have logged in meanwhile.
  if (sessionToken() === null) await push.unsubscribeBrowser();
}

const ChatLauncher = deferred(() => import('../features/chat/launcher.tsx'));
const PublicAside = deferred(async () => {
  await wantAllMessages();
  return import('./public-aside.tsx');
});

/** From here on the public pages have room for a picture beside the form. */
const ASIDE = '(min-width: 1024px)';

/** A page younger than this has just been loaded; loading it again would not help. */
const YOUNG_MS = 10_000;

/** A page that has outlived a release needs files that are gone: it begins again, but never in a circle. */
addEventListener('vite:preloadError', () => {
  if (performance.now() > YOUNG_MS && navigator.onLine && !isPrefetching()) location.reload();
});

/** Shows the chat about an error under its reference. */
supportSlot.under = (text) => {
  const reference = typeof text === 'string' ? referenceIn(text) : null;
  return reference && <ErrorReference reference={reference} onContact={openSupport} />;
};
// An earlier error is rendered again.
i18n.activate(i18n.locale, document.documentElement.lang);

/** Long enough for the first screen to have had the line to itself. */
const AFTER_MS = 2000;

/** A visitor's browser keeps the few words that there is no connection; members keep more, see platform/worker.ts. */
function keepOfflineText(): void {
  const isFramed = config.isFramed && self !== top;
  if (sessionToken() !== null || isFramed || import.meta.env.DEV) return;
  navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
}

/** Code that the first screen does not need, loaded afterwards. */
export default function Late() {
  const [isLater, setLater] = useState(false);
  const hasAside = useMedia(ASIDE) && sessionToken() === null;
  useEffect(() => {
    const timer = setTimeout(() => {
      keepOfflineText();
      setLater(true);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <ToastHost />
      {hasAside && <PublicAside />}
      {isLater && <ChatLauncher />}
    </>
  );
}

import { Waiting } from '@krapao/ui/components/waiting.tsx';
import type { I18n } from '@krapao/ui/text/i18n.ts';
import { TextProvider } from '@krapao/ui/text/text.tsx';
import { type ComponentType, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { navigate, usePathname } from 'wouter/use-browser-location';
import { api } from '../platform/api.ts';
import { whenOnline } from '../platform/online.ts';
import { clearSession, sessionToken } from '../platform/session.ts';
import { MemberArea, NotFoundPage, PUBLIC_PAGES, TerminatedPage } from './pages.ts';
import { PublicShell } from './public-shell.tsx';
import { type Place, type PublicPath, placeOf } from './routes.ts';

/** The whole member app. `ssrPath` is the page being written at build time. */
export function App({ i18n, ssrPath }: { i18n: I18n; ssrPath?: string }) {
  return (
    <TextProvider i18n={i18n}>
      <Router ssrPath={ssrPath} />
      <Later />
    </TextProvider>
  );
}

/** By then the first screen has loaded without competing requests; a toast requested meanwhile is still shown. */
const LATE_MS = 1000;

/** Code that the first screen does not need: it is loaded afterwards, and the page works without it. */
function Later() {
  const [Late, setLate] = useState<ComponentType>();
  useEffect(() => {
    const load = async () => {
      await whenOnline();
      const late = await import('./late.tsx');
      setLate(() => late.default);
    };
    const timer = setTimeout(load, LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return Late && <Late />;
}

function Router({ ssrPath }: { ssrPath?: string }) {
  const address = usePathname(ssrPath === undefined ? {} : { ssrPath });
  const place = placeOf(address, typeof window !== 'undefined' && sessionToken() !== null);
  return <Suspense fallback={<Waiting />}>{screen(place)}</Suspense>;
}

function screen(place: Place) {
  switch (place.kind) {
    case 'redirect':
      return <Redirect to={place.to} />;
    case 'public':
      return <PublicScreen path={place.path} />;
    case 'member':
      return <MemberArea />;
    case 'terminated':
      return <TerminatedPage />;
    case 'not-found':
      return <NotFoundPage />;
  }
}

function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

/** A public page. It ends an open session, at the server too. */
function PublicScreen({ path }: { path: PublicPath }) {
  const Page = PUBLIC_PAGES[path];
  useEffect(() => {
    if (sessionToken() === null) return;
    api('POST /api/logout').catch(() => undefined);
    clearSession();
    import('./late.tsx').then((late) => late.unsubscribe()).catch(() => undefined);
  }, []);
  return (
    <PublicShell path={path}>
      <Suspense fallback={<Waiting />}>
        <Page />
        <Awake />
      </Suspense>
    </PublicShell>
  );
}

/** Tells boot.js that the page beside it listens now, so that what was sent too early is sent. */
function Awake() {
  useEffect(() => {
    dispatchEvent(new Event('awake'));
  }, []);
  return null;
}

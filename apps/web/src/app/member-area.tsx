import { FailureBoundary } from '@krapao/ui/components/failure-boundary.tsx';
import { ErrorState } from '@krapao/ui/components/load-state.tsx';
import { Waiting } from '@krapao/ui/components/waiting.tsx';
import { useDelayed } from '@krapao/ui/hooks/use-delayed.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { MoneyBeside } from '../features/home/home-money.tsx';
import HomePage from '../features/home/home-page.tsx';
import { deferred } from '../platform/deferred.tsx';
import { holdServerTexts } from '../platform/hold-texts.ts';
import { startLive } from '../platform/member/live.ts';
import {
  homeBannersQuery,
  queryClient,
  requestPersistence,
  walletQuery,
} from '../platform/member/queries.ts';
import { renewChoices } from '../platform/member/renew-choices.ts';
import { keepHome, showStoredHome } from '../platform/member/stored-home.ts';
import { useWallet } from '../platform/member/wallet.ts';
import { onSessionEnd, sessionToken } from '../platform/session.ts';
import { MemberSheets } from './member-sheets.tsx';
import { MemberShell } from './member-shell.tsx';
import type { MemberPath } from './routes.ts';

/** The figures must have been drawn by then, not only have come. */
const LATE_MS = 1000;

const Bell = deferred(() => import('../features/notifications/bell.tsx'));

function LateBell() {
  const isLate = useDelayed(true, LATE_MS);
  return isLate && <Bell />;
}

const PAGES: Record<MemberPath, ComponentType> = {
  '/user/home': () => <HomePage news={<LateBell />} />,
  '/user/profile': lazy(() => import('../features/profile/profile-page.tsx')),
  '/user/limits': lazy(() => import('../features/limits/limits-page.tsx')),
  '/user/bonus': lazy(() => import('../features/bonuses/bonus-page.tsx')),
  '/user/statement': lazy(() => import('../features/statement/statement-page.tsx')),
  '/user/contact': lazy(() => import('../features/contact/member-contact-page.tsx')),
};

holdServerTexts();

// Every member screen starts from the wallet, home also from the news: requested while the texts load.
if (sessionToken() !== null) {
  await showStoredHome();
  queryClient.prefetchQuery({ ...walletQuery, staleTime: 0 });
  queryClient.prefetchQuery(homeBannersQuery);
}

const LatePrompts = deferred(() => import('./late-prompts.tsx'));

/** Offline files and recent logins are requested after the first screen has its figures, never in parallel. */
function Later() {
  const { isFetched } = useWallet();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isFetched) return;
    const timer = setTimeout(setLate, LATE_MS, true);
    return () => clearTimeout(timer);
  }, [isFetched]);
  useEffect(() => {
    if (isLate) renewChoices();
  }, [isLate]);
  return isLate && <LatePrompts />;
}

/** Clears the member's data from this browser when the session ends. Returns the function that stops it. */
const forgetWithSession = (): (() => void) =>
  onSessionEnd(() => {
    import('../features/notifications/browser-push.ts')
      .then((push) => push.unsubscribeBrowser())
      .catch(() => undefined);
  });

/** The way out of a language: what the server worded in it no longer fits. */
const leaveLanguage = (_language: string) => () => void requestPersistence();

/** Everything behind the login: one shell around the page, the sheets over it, and the live connection. */
export default function MemberArea() {
  const { t, language } = useText();
  const path = usePathname().replace(/\/+$/, '') as MemberPath;
  const Page = PAGES[path] ?? PAGES['/user/home'];
  useEffect(startLive, []);
  useEffect(keepHome, []);
  useEffect(() => leaveLanguage(language), [language]);
  useEffect(forgetWithSession, []);
  const failed = (retry: () => void) => <ErrorState text={t('error.generic')} onRetry={retry} />;
  return (
    <QueryClientProvider client={queryClient}>
      <MemberShell path={path} money={<MoneyBeside news={<LateBell />} />}>
        <FailureBoundary key={path} fallback={failed}>
          <Suspense fallback={<Waiting />}>
            <Page />
          </Suspense>
        </FailureBoundary>
      </MemberShell>
      <MemberSheets />
      <Later />
    </QueryClientProvider>
  );
}

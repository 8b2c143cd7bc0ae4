import { codeOf } from '@krapao/ui/api/api-error.ts';
import { TextProvider, useText } from '@krapao/ui/text/text.tsx';
import { Center, Loader, MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { NoticeHost, useNotice } from '../components/notice.tsx';
import { ReadError } from '../components/read-error.tsx';
import { theme } from '../components/theme.ts';
import { clearUnsent } from '../features/chat/unsent.ts';
import { EnrolPage } from '../features/sign-in/enrol.tsx';
import { SignInPage } from '../features/sign-in/sign-in.tsx';
import { api, forgetReads, isSignedOut, queries } from '../platform/api.ts';
import { i18n } from '../platform/i18n.ts';
import { type Me, MeContext } from '../platform/me.ts';
import { discardUnsaved } from '../platform/unsaved.ts';
import { useIdleEnd } from './idle.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { Shell } from './shell.tsx';

/** The whole console. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <TextProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <NoticeHost>
            <Door />
          </NoticeHost>
        </QueryClientProvider>
      </TextProvider>
    </MantineProvider>
  );
}

/** Shows the sign-in without a session; an enrolment has a page of its own. */
function Door() {
  const path = usePathname();
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () =>
      api('GET /api/operator/me').catch((error) => {
        if (isSignedOut(codeOf(error))) return null;
        throw error;
      }),
    staleTime: 60_000,
  });
  if (path === '/enrol') return <EnrolPage />;
  if (me.isPending)
    return (
      <Center h="100vh">
        <Loader />
      </Center>
    );
  if (me.error && !me.data)
    return (
      <Center h="100vh">
        <ReadError of={me} />
      </Center>
    );
  if (!me.data) return <SignInPage />;
  return <SignedIn me={me.data} readAt={me.dataUpdatedAt} />;
}

/** The console of a signed-in operator, until the session ends. */
function SignedIn({ me, readAt }: { me: Me; readAt: number }) {
  const { t } = useText();
  const { say } = useNotice();
  const [name] = useState(me.name);
  useEffect(() => forgetReads, []);
  useEffect(() => clearUnsent, []);
  useEffect(() => {
    // Another operator signed in elsewhere in this browser.
    if (me.name === name) return;
    discardUnsaved();
    location.reload();
  }, [me.name, name]);
  useIdleEnd(me.idleSeconds, readAt, () => say(t('signIn.endsSoon')));
  return (
    <MeContext value={me}>
      <LeaveGuard>
        <Shell />
      </LeaveGuard>
    </MeContext>
  );
}

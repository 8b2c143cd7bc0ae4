import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { Router } from 'wouter';
import { ActionDialog } from '../components/action-dialog.tsx';
import { discardUnsaved, hasUnsaved } from '../platform/unsaved.ts';

/** What an editor lives on: the page, and its part where the address names one. */
const placeOf = (address: string): string => {
  const { pathname, searchParams } = new URL(address, location.href);
  return `${pathname} ${searchParams.get('part') ?? ''}`;
};

const losesChanges = (to: string): boolean => hasUnsaved() && placeOf(to) !== placeOf('');

const ExitGuard = createContext((leave: () => void): void => leave());

/** Returns what leaves by another way than a link: it runs at once, or after the operator gave unsaved changes up. */
export const useExit = () => useContext(ExitGuard);

/** The history as browsers with the Navigation API let a page hold it: all but Firefox. */
interface Navigation extends EventTarget {
  traverseTo(key: string): unknown;
}
interface NavigateEvent extends Event {
  navigationType: string;
  destination: { url: string; key: string };
}

/** Holds the steps back and forward in the history that would lose changes. */
function useHeldSteps(hold: (leave: () => void) => void): void {
  useEffect(() => {
    const { navigation } = window as { navigation?: Navigation };
    const onNavigate = (event: Event) => {
      const { navigationType, destination, cancelable } = event as NavigateEvent;
      if (navigationType !== 'traverse' || !cancelable || !losesChanges(destination.url)) return;
      event.preventDefault();
      hold(() => navigation?.traverseTo(destination.key));
    };
    navigation?.addEventListener('navigate', onNavigate);
    return () => navigation?.removeEventListener('navigate', onNavigate);
  }, [hold]);
}

/** The pages of the console. What leaves unsaved changes waits for the operator's confirmation. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const { t } = useText();
  const [pending, setPending] = useState<{ leave: () => void } | null>(null);
  const hold = useCallback((leave: () => void) => setPending({ leave }), []);
  useHeldSteps(hold);
  const exit = useMemo(() => (leave: () => void) => (hasUnsaved() ? hold(leave) : leave()), [hold]);
  return (
    <Router
      aroundNav={(navigate, to, options) => {
        const leave = () => navigate(to, options);
        if (losesChanges(to)) hold(leave);
        else leave();
      }}
    >
      <ExitGuard value={exit}>{children}</ExitGuard>
      {pending && (
        <ActionDialog
          title={t('edit.leave')}
          yes={t('edit.leaveYes')}
          isDangerous
          onYes={async () => {
            discardUnsaved();
            pending.leave();
          }}
          onClose={() => setPending(null)}
        >
          <Text size="sm">{t('edit.leaveNote')}</Text>
        </ActionDialog>
      )}
    </Router>
  );
}

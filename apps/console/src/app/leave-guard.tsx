import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Router } from 'wouter';
import { ActionDialog } from '../components/action-dialog.tsx';
import { hasUnsaved } from '../platform/unsaved.ts';

/** What an editor lives on: the page, and its part where the address names one. */
const placeOf = (address: string): string => {
  const { pathname, searchParams } = new URL(address, location.href);
  return `${pathname} ${searchParams.get('part') ?? ''}`;
};

/** The pages of the console. A navigation away from unsaved changes waits for the operator's confirmation. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const { t } = useText();
  const [pending, setPending] = useState<{ go: () => void } | null>(null);
  return (
    <Router
      aroundNav={(navigate, to, options) => {
        const go = () => navigate(to, options);
        if (hasUnsaved() && placeOf(to) !== placeOf('')) setPending({ go });
        else go();
      }}
    >
      {children}
      {pending && (
        <ActionDialog
          title={t('edit.leave')}
          yes={t('edit.leaveYes')}
          isDangerous
          onYes={async () => pending.go()}
          onClose={() => setPending(null)}
        >
          <Text size="sm">{t('edit.leaveNote')}</Text>
        </ActionDialog>
      )}
    </Router>
  );
}

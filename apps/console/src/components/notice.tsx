import { useText } from '@krapao/ui/text/text.tsx';
import { CloseButton, Group, Paper, Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { errorText } from '../platform/error-text.ts';

interface Notices {
  say(text: string): void;
  complain(error: unknown): void;
}

const NoticeContext = createContext<Notices | null>(null);
const SHOWN_MS = 6_000;

/** One line at the foot of the page about what was just done, or why it was not. */
export function NoticeHost({ children }: { children: ReactNode }) {
  const { t } = useText();
  const [shown, setShown] = useState<{ text: string; isBad: boolean } | null>(null);
  const show = useCallback((text: string, isBad: boolean) => {
    setShown({ text, isBad });
  }, []);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(setShown, SHOWN_MS, null);
    return () => clearTimeout(timer);
  }, [shown]);
  const notices = useMemo(
    () => ({
      say: (text: string) => show(text, false),
      complain: (error: unknown) => show(errorText(t, error), true),
    }),
    [show, t],
  );
  return (
    <NoticeContext value={notices}>
      {children}
      <output
        aria-live="polite"
        style={{ position: 'fixed', bottom: 20, left: '50%', translate: '-50%', zIndex: 400 }}
      >
        {shown && (
          <Paper
            withBorder
            shadow="md"
            px="md"
            py="xs"
            style={{ background: shown.isBad ? 'var(--bad-soft)' : 'var(--ok-soft)' }}
          >
            <Group wrap="nowrap">
              <Text size="sm" fw={600} c={shown.isBad ? 'var(--bad)' : 'var(--ok)'}>
                {shown.text}
              </Text>
              <CloseButton aria-label={t('btn.close')} onClick={() => setShown(null)} />
            </Group>
          </Paper>
        )}
      </output>
    </NoticeContext>
  );
}

export function useNotice(): Notices {
  const notices = useContext(NoticeContext);
  if (!notices) throw new Error('useNotice needs a NoticeHost above it');
  return notices;
}

import { useText } from '@krapao/ui/text/text.tsx';
import { Button, CloseButton, Group, Kbd, Paper, Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { errorText } from '../platform/error-text.ts';
import { useKeys } from '../platform/keys.ts';

interface Offer {
  label: string;
  /** For how long it is offered. */
  seconds: number;
  perform(): void;
}

interface Notices {
  say(text: string): void;
  /** Reports an action, and offers to undo it for some seconds; `u` does too. */
  offerUndo(text: string, undo: Offer): void;
  complain(error: unknown): void;
  /** Reports a failure elsewhere, and offers for some seconds to open the place. */
  offerOpening(text: string, opening: Offer): void;
}

interface Shown {
  text: string;
  isBad: boolean;
  offer?: Offer;
}

const NoticeContext = createContext<Notices | null>(null);
const SHOWN_MS = 6_000;

/** One line at the foot of the page about what was just done, or why it was not. */
export function NoticeHost({ children }: { children: ReactNode }) {
  const { t } = useText();
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useCallback((text: string, isBad: boolean) => {
    setShown({ text, isBad });
  }, []);
  const offer = shown?.offer;
  const isUndo = Boolean(offer) && !shown?.isBad;
  const perform = () => {
    setShown(null);
    offer?.perform();
  };
  useKeys(isUndo ? { u: perform } : {});
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(setShown, shown.offer ? shown.offer.seconds * 1_000 : SHOWN_MS, null);
    return () => clearTimeout(timer);
  }, [shown]);
  const notices = useMemo(
    () => ({
      say: (text: string) => show(text, false),
      offerUndo: (text: string, undo: Offer) => setShown({ text, isBad: false, offer: undo }),
      complain: (error: unknown) => show(errorText(t, error), true),
      offerOpening: (text: string, opening: Offer) => setShown({ text, isBad: true, offer: opening }),
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
              {offer && (
                <Button
                  size="compact-sm"
                  variant="default"
                  rightSection={isUndo && <Kbd>{'u'}</Kbd>}
                  onClick={perform}
                >
                  {offer.label}
                </Button>
              )}
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

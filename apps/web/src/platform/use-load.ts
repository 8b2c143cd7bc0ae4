import type { Language } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { useCallback, useEffect, useState } from 'react';

interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  retry: () => void;
}

/**
 * Loads something for a public page, again with every language its reader chooses, with a retry. `load` must keep its
 * identity.
 */
export function useLoad<T>(load: (language: Language) => Promise<T>): Loaded<T> {
  const { language } = useText();
  const [state, setState] = useState<{ data?: T; error: unknown }>({ error: null });
  const run = useCallback(() => {
    // An answer in the language before must not come over the later one.
    let isOver = false;
    const show = (next: { data?: T; error: unknown }) => !isOver && setState(next);
    setState((known) => ({ ...known, error: null }));
    load(language).then(
      (data) => show({ data, error: null }),
      (error: unknown) => show({ error }),
    );
    return () => {
      isOver = true;
    };
  }, [load, language]);
  useEffect(run, [run]);
  return { data: state.data, error: state.error, retry: run };
}

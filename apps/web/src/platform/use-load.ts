import type { Language } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { useCallback, useEffect, useState } from 'react';

interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  retry: () => void;
}

/**
 * Loads something for a public page, anew with every language its reader chooses, with a retry. `load` must keep its
 * identity.
 */
export function useLoad<T>(load: (language: Language) => Promise<T>): Loaded<T> {
  const { language } = useText();
  const [state, setState] = useState<{ data?: T; error: unknown }>({ error: null });
  const run = useCallback(() => {
    setState((known) => ({ ...known, error: null }));
    load(language).then(
      (data) => setState({ data, error: null }),
      (error: unknown) => setState({ error }),
    );
  }, [load, language]);
  useEffect(run, [run]);
  return { data: state.data, error: state.error, retry: run };
}

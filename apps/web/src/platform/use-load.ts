import { useCallback, useEffect, useState } from 'react';

interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  retry: () => void;
}

/** Loads something once for a public page, with a retry. `load` must keep its identity. */
export function useLoad<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error: unknown }>({ error: null });
  const run = useCallback(() => {
    setState((known) => ({ ...known, error: null }));
    load().then(
      (data) => setState({ data, error: null }),
      (error: unknown) => setState({ error }),
    );
  }, [load]);
  useEffect(run, [run]);
  return { data: state.data, error: state.error, retry: run };
}

import { useCallback, useRef, useState } from 'react';

/** One call at a time, and whether it is under way. */
export interface SingleCall {
  isBusy: boolean;
  /** Runs the work and ignores its error, which the work reports itself; does nothing while another run is under way. */
  run: (work: () => Promise<unknown>) => void;
}

/** Keeps a second Enter or click from sending the same call twice. */
export function useSingleCall(): SingleCall {
  // The state is drawn later than a second key press may come.
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const run = useCallback((work: () => Promise<unknown>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    const end = () => {
      isRunning.current = false;
      setBusy(false);
    };
    work().then(end, end);
  }, []);
  return { isBusy, run };
}

import { DAY_MS } from '@krapao/contract/durations';
import { useEffect, useEffectEvent } from 'react';
import { queries } from '../platform/api.ts';
import { followInput } from '../platform/input.ts';

/** How long before the end the operator is warned. */
const WARN_S = 60;

const readMe = () => void queries.invalidateQueries({ queryKey: ['me'] });

/**
 * Reports the operator's activity to the server, warns a minute before an idle session ends, and makes a call once it should
 * have ended: another tab may have extended it. The refusal of an ended one leads to the sign-in page.
 * @param idleSeconds the idle time from the server
 * @param readAt when it was read
 */
export function useIdleEnd(idleSeconds: number, readAt: number, warn: () => void): void {
  const onSoon = useEffectEvent(warn);
  useEffect(() => followInput(readMe), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer begins the wait again
  useEffect(() => {
    if (idleSeconds <= WARN_S) onSoon();
    const seconds = idleSeconds > WARN_S ? idleSeconds - WARN_S : idleSeconds + 1;
    // Timers take no more than 24 days.
    const timer = setTimeout(readMe, Math.min(seconds * 1000, DAY_MS));
    return () => clearTimeout(timer);
  }, [idleSeconds, readAt]);
}

import { DAY_MS } from '@krapao/contract/durations';
import { useEffect, useEffectEvent } from 'react';
import { queries } from '../platform/api.ts';
import { followInput } from '../platform/input.ts';

/** So long before the end the operator is told. */
const WARN_S = 60;

const readMe = () => void queries.invalidateQueries({ queryKey: ['me'] });

/**
 * Lets the server know while the operator works, says so a minute before an idle session ends, and asks once it should
 * have ended: another tab may have kept it alive. The refusal of an ended one leads to the sign-in page.
 * @param idleSeconds what the server said
 * @param readAt when it said so
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

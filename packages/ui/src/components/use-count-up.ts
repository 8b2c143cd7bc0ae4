import { useEffect, useState } from 'react';

const LASTS_MS = 700;
let hasCounted = false;

/**
 * Counts up to the first figure of a page load, once. Later figures, reduced motion and a figure that the reader has seen
 * before (`isKnown`) show at once.
 */
export function useCountUp(target: number, isKnown: boolean): number {
  const [shown, setShown] = useState(() => (!isKnown && mayCount() ? 0 : target));
  useEffect(() => {
    hasCounted ||= isKnown;
    if (!mayCount()) return setShown(target);
    const start = performance.now();
    let frame = 0;
    const step = (now: number) => {
      const progress = Math.min(1, (now - start) / LASTS_MS);
      hasCounted = progress === 1;
      setShown(progress === 1 ? target : Math.round(target * (1 - (1 - progress) ** 3) * 100) / 100);
      if (progress < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [target, isKnown]);
  return shown;
}

const mayCount = (): boolean => !hasCounted && !matchMedia('(prefers-reduced-motion: reduce)').matches;

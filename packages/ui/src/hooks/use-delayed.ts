import { useEffect, useState } from 'react';

/** True once `isOn` has lasted 200 ms: a loader that flashes is worse than none. */
export function useDelayed(isOn: boolean, delayMs = 200): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isOn) return setLate(false);
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => clearTimeout(timer);
  }, [isOn, delayMs]);
  return isOn && isLate;
}

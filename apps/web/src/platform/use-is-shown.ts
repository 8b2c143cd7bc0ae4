import { useLayoutEffect, useRef } from 'react';

/**
 * Returns whether the component is still on the screen, for what happens once the server has answered: the reader may
 * have gone elsewhere by then.
 */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}

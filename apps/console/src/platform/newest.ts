import { useRef } from 'react';

/**
 * Returns a function that starts a call; what it returns says later whether no other was started since. Answers may come
 * in another order than the calls were made.
 */
export function useNewest(): () => () => boolean {
  const count = useRef(0);
  return () => {
    const own = ++count.current;
    return () => own === count.current;
  };
}

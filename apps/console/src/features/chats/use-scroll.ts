import { useCallback, useLayoutEffect, useRef } from 'react';

/** So near to its foot a list counts as being there. */
const NEAR_PX = 60;

/**
 * Keeps the last word in sight while new ones come and pictures grow, unless the reader has gone up; and his place
 * while earlier ones are put in above. What he says himself is always shown. Answers the ref of what scrolls.
 */
export function useScroll({
  count,
  last,
  isOwn,
}: {
  count: number;
  last: string | undefined;
  isOwn: boolean;
}) {
  const box = useRef<HTMLDivElement | null>(null);
  const isAtFoot = useRef(true);
  const before = useRef({ count: 0, last: '', height: 0 });
  const attach = useCallback((element: HTMLDivElement | null) => {
    box.current = element;
    if (!element) return;
    let top = 0;
    const measure = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_PX;
      // What grows takes the foot away; only the reader goes up.
      isAtFoot.current = isNear || (isAtFoot.current && element.scrollTop >= top);
      top = element.scrollTop;
    };
    const stay = () => {
      if (isAtFoot.current) element.scrollTop = element.scrollHeight;
    };
    element.addEventListener('scroll', measure, { passive: true });
    // Neither bubbles.
    element.addEventListener('load', stay, true);
    element.addEventListener('loadedmetadata', stay, true);
    return () => {
      box.current = null;
      element.removeEventListener('scroll', measure);
      element.removeEventListener('load', stay, true);
      element.removeEventListener('loadedmetadata', stay, true);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const was = before.current;
    if (last !== was.last) {
      if (isAtFoot.current || isOwn) element.scrollTop = element.scrollHeight;
    } else if (count > was.count) element.scrollTop += element.scrollHeight - was.height;
    before.current = { count, last: last ?? '', height: element.scrollHeight };
  });
  return attach;
}

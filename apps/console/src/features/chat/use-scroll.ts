import { useCallback, useLayoutEffect, useRef } from 'react';

/** So near to its foot a list counts as being there. */
const NEAR_PX = 60;

/**
 * Keeps the last word in sight while new ones come and pictures grow, unless the reader has gone up; and their place
 * while earlier ones are put in above. Their own messages are always shown. Returns the ref of what scrolls.
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
  const was = useRef({ top: 0, height: 0 });
  const before = useRef({ count: 0, last: '', height: 0 });
  /** Takes their place against the foot they could see: the list may have grown since they scrolled. */
  const place = useCallback(() => {
    if (!box.current) return;
    const { scrollTop: top, scrollHeight: height, clientHeight } = box.current;
    const isNear = Math.min(height, was.current.height) - top - clientHeight <= NEAR_PX;
    // What grows takes the foot away; only the reader goes up.
    isAtFoot.current = isNear || (isAtFoot.current && top >= was.current.top);
    was.current = { top, height };
  }, []);
  const follow = useCallback(() => {
    if (!box.current) return;
    isAtFoot.current = true;
    box.current.scrollTop = box.current.scrollHeight;
    was.current = { top: box.current.scrollTop, height: box.current.scrollHeight };
  }, []);
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element;
      if (!element) return;
      const stay = () => {
        place();
        if (isAtFoot.current) follow();
      };
      element.addEventListener('scroll', place, { passive: true });
      // Neither bubbles.
      element.addEventListener('load', stay, true);
      element.addEventListener('loadedmetadata', stay, true);
      return () => {
        box.current = null;
        element.removeEventListener('scroll', place);
        element.removeEventListener('load', stay, true);
        element.removeEventListener('loadedmetadata', stay, true);
      };
    },
    [place, follow],
  );
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { count: countBefore, last: lastBefore, height } = before.current;
    place();
    if (last !== lastBefore) {
      if (isAtFoot.current || isOwn) follow();
    } else if (count > countBefore) element.scrollTop += element.scrollHeight - height;
    before.current = { count, last: last ?? '', height: element.scrollHeight };
  });
  return attach;
}

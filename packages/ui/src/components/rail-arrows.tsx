import { ChevronLeft, ChevronRight } from 'lucide';
import { type RefObject, useEffect, useState } from 'react';
import { useText } from '../text/text.tsx';
import { IconButton } from './button.tsx';
import styles from './rail-arrows.module.css';

/** So much of a pixel a browser may leave at either end. */
const ROUNDING_PX = 1;

/** Whether more lies to the left and to the right of what a rail shows. */
function useEnds(rail: RefObject<HTMLElement | null>): { left: boolean; right: boolean } {
  const [ends, setEnds] = useState({ left: false, right: false });
  useEffect(() => {
    const element = rail.current!;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const left = scrollLeft > ROUNDING_PX;
      const right = scrollLeft + clientWidth < scrollWidth - ROUNDING_PX;
      setEnds((known) => (known.left === left && known.right === right ? known : { left, right }));
    };
    const size = new ResizeObserver(measure);
    size.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [rail]);
  return ends;
}

const behavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';

/** Two buttons that move a rail by its visible width, for users of a mouse; none where all of it is shown. */
export function RailArrows({ rail }: { rail: RefObject<HTMLElement | null> }) {
  const { t } = useText();
  const { left, right } = useEnds(rail);
  const move = (sign: 1 | -1) => () => {
    const element = rail.current!;
    element.scrollBy({ left: sign * element.clientWidth, behavior: behavior() });
  };
  if (!left && !right) return null;
  return (
    <span className={styles.arrows}>
      <IconButton icon={ChevronLeft} size={20} label={t('rail.left')} disabled={!left} onClick={move(-1)} />
      <IconButton icon={ChevronRight} size={20} label={t('rail.right')} disabled={!right} onClick={move(1)} />
    </span>
  );
}

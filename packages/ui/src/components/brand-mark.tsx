import styles from './brand-mark.module.css';
import { cx } from './class-names.ts';

/** The product's sign: two waves. Large and light on a green panel. */
export function BrandMark({ isOnPanel }: { isOnPanel?: boolean }) {
  return (
    <span className={cx(styles.mark, isOnPanel && styles.big)}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3.5 9c2.8-3.4 5.7-3.4 8.5 0s5.7 3.4 8.5 0M3.5 15.5c2.8-3.4 5.7-3.4 8.5 0s5.7 3.4 8.5 0" />
      </svg>
    </span>
  );
}

import { Children, type ReactNode } from 'react';
import styles from './separated.module.css';

/** Parts of one line with a dot between them; where they need several lines, no line begins or ends with a dot. Lines begin at the left: a centred text has lines of its own in place of dots. */
export function Separated({ parts }: { parts: readonly ReactNode[] }) {
  return (
    <span className={styles.parts}>
      {Children.map(parts.filter(Boolean), (part, index) => (
        <span className={styles.part}>
          <span className={styles.dot}>{index > 0 && ' · '}</span>
          {part}
        </span>
      ))}
    </span>
  );
}

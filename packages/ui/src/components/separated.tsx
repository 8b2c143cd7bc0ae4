import type { ReactNode } from 'react';
import styles from './separated.module.css';

/** Parts of one line with a dot between them; where they need several lines, no line begins or ends with a dot. */
export function Separated({ parts }: { parts: readonly ReactNode[] }) {
  return (
    <span className={styles.parts}>
      {parts.filter(Boolean).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other identity
        <span key={index} className={styles.part}>
          <span className={styles.dot}>{index > 0 && ' · '}</span>
          {part}
        </span>
      ))}
    </span>
  );
}

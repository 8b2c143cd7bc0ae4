import type { ReactNode } from 'react';
import styles from './ticket.module.css';

/** The perforated paper that the QR and the receipt share. */
export function Ticket({ children }: { children: ReactNode }) {
  return <div className={styles.ticket}>{children}</div>;
}

/** The line along which the paper tears. */
export function Tear() {
  return <div className={styles.tear} aria-hidden="true" />;
}

/** Time left as a ring that drains, with mm:ss inside; the last minute turns to the warning colour. */
export function CountdownRing({ left, total, text, label }: RingProps) {
  const share = total > 0 ? Math.min(1, Math.max(0, left / total)) : 0;
  return (
    <div className={styles.ring} role="timer" aria-label={label} data-late={left <= 60 || undefined}>
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <circle cx="32" cy="32" r="28" />
        <circle cx="32" cy="32" r="28" pathLength="1" strokeDasharray="1" strokeDashoffset={1 - share} />
      </svg>
      <span>{text}</span>
    </div>
  );
}

interface RingProps {
  /** Seconds. */
  left: number;
  total: number;
  text: string;
  label: string;
}

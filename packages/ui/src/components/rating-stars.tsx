import type { ReactNode } from 'react';
import styles from './rating-stars.module.css';

/** Draws a text of one to five stars, which the app's fonts lack; returns any other text as `otherwise`. */
export function RatingStars({ text, otherwise }: { text: string; otherwise: ReactNode }) {
  if (!/^★{1,5}$/.test(text)) return otherwise;
  return (
    <span className={styles.stars} role="img" aria-label={`${text.length}/5`}>
      {[...text].map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stars are all alike
        <svg key={index} viewBox="0 0 24 24" aria-hidden="true">
          <path d="m12 2.6 2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9z" />
        </svg>
      ))}
    </span>
  );
}

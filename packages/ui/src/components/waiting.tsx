import button from './button.module.css';
import styles from './waiting.module.css';

/** Stands in for a page or sheet whose file, or what decides what it shows, is on its way: nothing for 200 ms, then a ring in the middle of the screen. */
export const Waiting = () => (
  <div className={styles.waiting} aria-busy="true">
    <span className={button.spinner} />
  </div>
);

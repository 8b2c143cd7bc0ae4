import button from './button.module.css';
import styles from './waiting.module.css';

/** Placeholder of a page or sheet whose file or data is loading: nothing for 200 ms, then a ring in the middle of the screen. */
export const Waiting = () => (
  <div className={styles.waiting} aria-busy="true">
    <span className={button.spinner} />
  </div>
);

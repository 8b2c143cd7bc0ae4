import styles from './tag.module.css';

/** The small mark that says this is not real money. */
export function Tag({ text }: { text: string }) {
  return <span className={styles.tag}>{text}</span>;
}

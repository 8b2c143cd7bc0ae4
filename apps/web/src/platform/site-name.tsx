import { useSite } from './site-info.ts';
import styles from './site-name.module.css';

/** The provider's name, which leads to their website in a tab of its own where they have named a safe one. */
export function SiteName() {
  const { name, website } = useSite();
  if (!website.startsWith('https://')) return name;
  return (
    <a className={styles.site} href={website} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}

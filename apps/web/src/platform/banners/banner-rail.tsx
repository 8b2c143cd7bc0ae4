import { useText } from '@krapao/ui/text/text.tsx';
import type { ReactNode } from 'react';
import styles from './banners.module.css';

/** Banners side by side that snap into place, the next one peeking in. */
export function BannerRail({ children }: { children: ReactNode }) {
  const { t } = useText();
  return (
    <section className={styles.rail} aria-label={t('banner.banners')}>
      {children}
    </section>
  );
}

import { RailArrows } from '@krapao/ui/components/rail-arrows.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type ReactNode, useRef } from 'react';
import styles from './banners.module.css';

interface BannerRailProps {
  /** What it holds may be words only: then the keyboard must reach the rail itself to move it. */
  isStop?: boolean;
  children: ReactNode;
}

/** Banners side by side that snap into place, the next one peeking in. */
export function BannerRail({ isStop, children }: BannerRailProps) {
  const { t } = useText();
  const rail = useRef<HTMLElement>(null);
  return (
    <div>
      <section
        ref={rail}
        className={styles.rail}
        aria-label={t('banner.banners')}
        tabIndex={isStop ? 0 : undefined}
      >
        {children}
      </section>
      <RailArrows rail={rail} />
    </div>
  );
}

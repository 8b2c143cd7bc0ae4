import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { RailArrows } from '@krapao/ui/components/rail-arrows.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type UIEvent, useRef, useState } from 'react';
import { fileAddress } from '../../platform/file-address.ts';
import styles from './bonus.module.css';
import type { Offer } from './queries.ts';

/** An offer's banners, one at a time, with a dot for each when there are several. */
export function OfferBanners({ banners }: Pick<Offer, 'banners'>) {
  const { t } = useText();
  const [shown, setShown] = useState(0);
  const rail = useRef<HTMLElement>(null);
  const trackShown = ({ currentTarget: rail }: UIEvent<HTMLElement>) =>
    setShown(Math.round(rail.scrollLeft / Math.max(1, rail.clientWidth)));
  if (banners.length === 0) return null;
  return (
    <div>
      <section
        ref={rail}
        className={styles.rail}
        aria-label={t('banner.banners')}
        // Only by the keyboard can the others be reached where nothing in them takes the focus.
        tabIndex={banners.length > 1 ? 0 : undefined}
        onScroll={trackShown}
      >
        {banners.map(({ image, html }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two banners may be alike, and their order never changes
          <div key={index} className={styles.banner}>
            {image && <img src={fileAddress(image)} alt="" />}
            {html && (
              <div className={styles.over}>
                <CleanHtml markup={html} />
              </div>
            )}
          </div>
        ))}
      </section>
      {banners.length > 1 && (
        <div className={styles.dots} aria-hidden="true">
          {banners.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places of a fixed row
            <span key={index} data-on={index === shown || undefined} />
          ))}
        </div>
      )}
      <RailArrows rail={rail} />
    </div>
  );
}

import { Button } from '@krapao/ui/components/button.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { Waiting } from '@krapao/ui/components/waiting.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bannersQuery } from '../member/queries.ts';
import { BannerBody } from './banner-card.tsx';
import { BannerLink } from './banner-link.tsx';
import { BannerRail } from './banner-rail.tsx';
import styles from './banners.module.css';

interface BannersFirstProps {
  place: 'invite' | 'refund';
  title: string;
  /** The sheet itself. */
  children: ReactNode;
}

/**
 * Shows a place's banners before its sheet, if there are any; closing them opens the sheet. Once open the sheet stays:
 * banners that appear meanwhile wait for its next opening.
 */
export function BannersFirst({ place, title, children }: BannersFirstProps) {
  const { t } = useText();
  const { data, isPending } = useQuery(bannersQuery(place));
  const [isSeen, setSeen] = useState(false);
  if (isSeen) return children;
  if (isPending) return <Waiting />;
  if (!data?.banners.length) {
    setSeen(true);
    return children;
  }
  const goOn = () => setSeen(true);
  const foot = (
    <Button isWide onClick={goOn}>
      {t('btn.next')}
    </Button>
  );
  return (
    <Sheet title={title} onClose={goOn} footer={foot}>
      <BannerRail isStop>
        {data.banners.map((banner) => (
          <div key={banner.id} className={styles.slide}>
            <BannerBody banner={banner} />
            {banner.link && <BannerLink link={banner.link} tone="line" />}
          </div>
        ))}
      </BannerRail>
    </Sheet>
  );
}

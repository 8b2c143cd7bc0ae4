import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Megaphone } from 'lucide';
import { BannerCard } from '../../platform/banners/banner-card.tsx';
import { BannerRail } from '../../platform/banners/banner-rail.tsx';
import { homeBannersQuery } from '../../platform/member/queries.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './home-banners.module.css';

/** What operators want every member to know now; nothing when there is none. */
export function HomeNews() {
  const { t } = useText();
  const { data } = useQuery(homeBannersQuery);
  if (!data?.news) return null;
  return (
    <section className={styles.news} aria-label={t('banner.news')}>
      <Icon of={Megaphone} size={20} />
      <CleanHtml markup={data.news} />
    </section>
  );
}

/** The banners of the home screen; each opens to its full text. */
export function HomeBanners() {
  const { data } = useQuery(homeBannersQuery);
  if (!data?.banners.length) return null;
  return (
    <BannerRail>
      {data.banners.map((banner) => (
        <BannerCard key={banner.id} banner={banner} onPress={() => openSheet('banner', banner.id)} />
      ))}
    </BannerRail>
  );
}

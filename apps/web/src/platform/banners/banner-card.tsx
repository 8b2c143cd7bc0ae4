import type { MemberApi } from '@krapao/contract/member';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { fileAddress } from '../file-address.ts';
import styles from './banners.module.css';

export type Banner = MemberApi['GET /api/home/banners']['reply']['banners'][number];

/** A banner as a card in a row; without a picture its title is shown. */
export function BannerCard({ banner, onPress }: { banner: Banner; onPress: () => void }) {
  const { hold } = useText();
  return (
    <button type="button" className={styles.card} onClick={onPress}>
      {banner.image ? (
        <img src={fileAddress(banner.image)} alt={banner.title} decoding="async" />
      ) : (
        <span className={styles.texts}>{hold(banner.title)}</span>
      )}
    </button>
  );
}

/** All of a banner: the whole picture and the text. */
export function BannerBody({ banner }: { banner: Banner }) {
  return (
    <div className={styles.body}>
      {banner.image && <img src={fileAddress(banner.image)} alt={banner.title} />}
      {banner.html && <CleanHtml markup={banner.html} />}
    </div>
  );
}

import { BrandMark } from '@krapao/ui/components/brand-mark.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Headset, ReceiptText, ShieldCheck, Wallet } from 'lucide';
import { createPortal } from 'react-dom';
import { ASIDE_PLACE } from '../platform/places.ts';
import { useSite } from '../platform/site-info.ts';
import { usePlace } from '../platform/use-place.ts';
import styles from './public-aside.module.css';
import { RiverPicture } from './river-picture.tsx';

const POINTS = [
  { icon: Wallet, text: 'aside.balance' },
  { icon: ReceiptText, text: 'aside.receipts' },
  { icon: ShieldCheck, text: 'aside.limits' },
  { icon: Headset, text: 'aside.support' },
] as const;

/** The content beside the public pages on a desktop: the name, what the wallet does, and a picture. */
export default function PublicAside() {
  const { t } = useText();
  const { name } = useSite();
  const place = usePlace(ASIDE_PLACE);
  if (!place) return null;
  return createPortal(
    <aside className={styles.aside} aria-label={t('aside.about')}>
      <RiverPicture />
      <div className={styles.texts}>
        <BrandMark isOnPanel />
        <p className={styles.name}>{name}</p>
        <p className={styles.tagline}>{t('login.tagline')}</p>
        <ul className={styles.points}>
          {POINTS.map(({ icon, text }) => (
            <li key={text}>
              <Icon of={icon} />
              <span>{t(text)}</span>
            </li>
          ))}
        </ul>
      </div>
    </aside>,
    place,
  );
}

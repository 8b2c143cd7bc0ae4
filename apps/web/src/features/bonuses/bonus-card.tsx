import { MINUTE_MS } from '@krapao/contract/durations';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Check, CircleCheck, Gift, Sparkles } from 'lucide';
import { fileAddress } from '../../platform/file-address.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './bonus.module.css';
import { useOfferTexts } from './offer-texts.ts';
import type { Bonus } from './queries.ts';
import { cardState } from './rules.ts';

const STATES = {
  current: { text: 'bonus.inUse', icon: Check },
  used: { text: 'bonus.received', icon: CircleCheck },
  open: { text: 'bonus.available', icon: Sparkles },
} as const;

/** A bonus in one of its three states; it opens unless it has been received as often as may be. */
export function BonusCard({ bonus }: { bonus: Bonus }) {
  const { t } = useText();
  const texts = useOfferTexts();
  const state = cardState(bonus, useNow(MINUTE_MS));
  const { text, icon } = STATES[state];
  const [banner] = bonus.banners;
  return (
    <li>
      <button
        type="button"
        className={`${styles.bonus} ${styles[state]}`}
        disabled={state === 'used'}
        onClick={() => openSheet('bonus', bonus.code)}
      >
        <span className={styles.art}>
          {banner?.image ? (
            <img src={fileAddress(banner.image)} alt="" loading="lazy" decoding="async" />
          ) : (
            <Icon of={Gift} size={36} />
          )}
        </span>
        <span className={styles.words}>
          <span className={styles.title}>{bonus.title}</span>
          <span className={styles.detail}>{texts.awardShort(bonus)}</span>
          <span className={styles.detail}>{texts.often(bonus)}</span>
          <span className={styles.mark}>
            <Icon of={icon} size={14} stroke={2.25} />
            {t(text)}
          </span>
        </span>
      </button>
    </li>
  );
}

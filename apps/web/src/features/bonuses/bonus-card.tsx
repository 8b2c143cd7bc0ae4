import { MINUTE_MS } from '@krapao/contract/durations';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Check, CircleCheck, Gift, type IconNode, Sparkles } from 'lucide';
import { fileAddress } from '../../platform/file-address.ts';
import { useRun } from '../../platform/member/bonus-stop.tsx';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './bonus.module.css';
import { useOfferTexts } from './offer-texts.ts';
import type { Bonus } from './queries.ts';
import { cardState } from './rules.ts';

/** The content of a card: the state of its bonus, and while it is open what is still needed to receive it. */
function useMark(bonus: Bonus, state: ReturnType<typeof cardState>): { text: string; icon?: IconNode } {
  const { t } = useText();
  const texts = useOfferTexts();
  const run = useRun();
  if (state === 'current') return { text: t('bonus.inUse'), icon: Check };
  if (state === 'used') return { text: t('bonus.received'), icon: CircleCheck };
  if ((bonus.moveOutOf ?? []).length > 0) return { text: t('bonus.notYet') };
  if (bonus.now) return { text: t('bonus.available'), icon: Sparkles };
  if (run) return { text: t('bonus.afterRun') };
  const least = texts.leastDeposit(bonus);
  return least ? { text: t('bonus.depositToClaim', { amount: least }) } : { text: t('bonus.notYet') };
}

/** A bonus in one of its three states; it opens unless it has been received as often as may be. */
export function BonusCard({ bonus }: { bonus: Bonus }) {
  const texts = useOfferTexts();
  const { hold } = useText();
  const state = cardState(bonus, useNow(MINUTE_MS));
  const { text, icon } = useMark(bonus, state);
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
        <span className={styles.texts}>
          <span className={styles.title}>{hold(bonus.title)}</span>
          <span className={styles.detail}>{texts.awardShort(bonus)}</span>
          <span className={styles.detail}>{texts.often(bonus)}</span>
          <span className={styles.mark} data-quiet={state === 'open' && !bonus.now ? '' : undefined}>
            {icon && <Icon of={icon} size={14} stroke={2.25} />}
            {text}
          </span>
        </span>
      </button>
    </li>
  );
}

import { Money } from '@krapao/ui/parts/money.tsx';
import { amountText } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { type Slot, slotWorth } from '../../platform/member/wallet-merge.ts';
import styles from './slot.module.css';

/** The game's picture, and its balance once it is open. */
export function SlotHead({ slot }: { slot: Slot }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  return (
    <div className={styles.head} data-off={slot.isActive ? undefined : ''}>
      {slot.background && <img src={slot.background} alt="" />}
      {slot.isActive && (
        <div className={styles.balance}>
          <p>
            <Money amount={slotWorth(slot)} currency={currency} isBig />
          </p>
          <p>{t('game.credits', { amount: amountText(slot.amount) })}</p>
        </div>
      )}
    </div>
  );
}

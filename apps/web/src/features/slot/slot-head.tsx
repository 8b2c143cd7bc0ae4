import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { amountText } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Wrench } from 'lucide';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { type Slot, slotWorth } from '../../platform/member/wallet-merge.ts';
import styles from './slot.module.css';

/** The game's picture, and once it is open its balance, the amount in open bets, and whether the game is silent. */
export function SlotHead({ slot }: { slot: Slot }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  return (
    <>
      <div className={styles.head} data-off={slot.isActive ? undefined : ''}>
        {slot.background && <img src={slot.background} alt="" />}
        {slot.isActive && (
          <div className={styles.balance}>
            <p>
              <Money amount={slotWorth(slot, currency)} currency={currency} isBig />
            </p>
            <p>{t('game.credits', { amount: amountText(slot.amount) })}</p>
            {slot.openBets > 0 && <p>{t('game.openBets', { amount: amountText(slot.openBets) })}</p>}
          </div>
        )}
      </div>
      {slot.isInMaintenance && (
        <MessageBox tone="warn" icon={Wrench}>
          {t(slot.isActive ? 'game.maintenanceNote' : 'game.maintenanceClosed')}
        </MessageBox>
      )}
      {slot.staleSince && (
        <MessageBox tone="warn">{t('game.silent', { time: dateTimeText(slot.staleSince) })}</MessageBox>
      )}
    </>
  );
}

import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Check } from 'lucide';
import { useEffect } from 'react';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import styles from './deposit.module.css';

const CLOSES_MS = 2000;
const INPUT_EVENTS = ['pointerdown', 'keydown'];

/**
 * The money is in the wallet. Goes away by itself, and leaves a word behind for who reads slowly or has it read out; a
 * press or a key keeps it.
 */
export function PaidStep({ amount }: { amount: number }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const left = t('notify.depositSum', { amount: sumText(t, amount, currency) });
  useEffect(() => {
    const timer = setTimeout(() => {
      closeSheet();
      showToast('ok', left);
    }, CLOSES_MS);
    const keep = () => clearTimeout(timer);
    for (const action of INPUT_EVENTS) addEventListener(action, keep);
    return () => {
      keep();
      for (const action of INPUT_EVENTS) removeEventListener(action, keep);
    };
  }, [left]);
  const foot = (
    <Button isWide onClick={closeSheet}>
      {t('btn.done')}
    </Button>
  );
  return (
    <Sheet title={t('deposit.title')} onClose={closeSheet} footer={foot}>
      <div className={styles.paid} role="status">
        <span className={styles.seal}>
          <Icon of={Check} size={36} stroke={2.5} />
        </span>
        <h3 className={styles.ok}>{t('qr.paid')}</h3>
        <p className={styles.sum}>
          <Money amount={amount} currency={currency} isBig />
        </p>
        <p>{t('deposit.inWallet')}</p>
      </div>
    </Sheet>
  );
}

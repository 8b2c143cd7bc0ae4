import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Check } from 'lucide';
import { useEffect } from 'react';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, swapSheet } from '../../platform/sheet-state.ts';
import styles from './deposit.module.css';
import type { PaidQr } from './use-qr.ts';

const TURNS_MS = 2000;
const INPUT_EVENTS = ['pointerdown', 'keydown'];

/** Reports that the money is in the wallet. Changes to the receipt automatically; a press or a key stops that. */
export function PaidStep({ paid: { id, amount } }: { paid: PaidQr }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  useEffect(() => {
    const timer = setTimeout(swapSheet, TURNS_MS, 'receipt', id);
    const keep = () => clearTimeout(timer);
    for (const action of INPUT_EVENTS) addEventListener(action, keep);
    return () => {
      keep();
      for (const action of INPUT_EVENTS) removeEventListener(action, keep);
    };
  }, [id]);
  const foot = (
    <div className={styles.actions}>
      <Button isWide onClick={closeSheet}>
        {t('btn.done')}
      </Button>
      <Button isWide tone="text" onClick={() => swapSheet('receipt', id)}>
        {t('receipt.view')}
      </Button>
    </div>
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

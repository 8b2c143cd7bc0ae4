import type { MemberApi } from '@krapao/contract/member';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { StatusPill } from '@krapao/ui/components/status-pill.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useCallback, useState } from 'react';
import { type Notice, useNotice } from '../../platform/member/live.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { receiptAction } from '../../platform/receipt-action.ts';
import styles from './withdraw.module.css';

type WithdrawReceipt = MemberApi['POST /api/wallet/withdrawAll']['reply'];

const ENDS = {
  SUCCESS: { tone: 'ok', title: 'withdraw.done' },
  FAILED: { tone: 'bad', title: 'withdraw.failed' },
} as const;
const WAITING = { tone: 'wait', title: 'withdraw.waiting' } as const;

/** The request is in; its state changes in place as the bank answers. */
export function WithdrawDone({ receipt, onClose }: { receipt: WithdrawReceipt; onClose: () => void }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const [status, setStatus] = useState(receipt.status);
  const onNotice = useCallback(
    (notice: Notice) => {
      if (notice.id === receipt.id) setStatus(notice.status);
    },
    [receipt.id],
  );
  useNotice(onNotice);
  const appearance = status === 'SUCCESS' || status === 'FAILED' ? ENDS[status] : WAITING;
  return (
    <AlertDialog
      tone={appearance.tone}
      title={t(appearance.title)}
      action={receiptAction(t, receipt.id)}
      onClose={onClose}
    >
      <p className={styles.sum}>
        <Money amount={receipt.amount} currency={currency} />
      </p>
      <p className={styles.state} aria-live="polite">
        <StatusPill status={status} />
      </p>
      {status === 'FAILED' && <p>{t('receipt.moneyBack')}</p>}
    </AlertDialog>
  );
}

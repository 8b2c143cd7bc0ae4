import type { MemberApi } from '@krapao/contract/member';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { StatusPill } from '@krapao/ui/components/status-pill.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { statementRowQuery } from '../../platform/member/queries.ts';
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
  // A repeated response is the first one: the row knows how it went on since, and is read again with every notice.
  const { data } = useQuery(statementRowQuery(receipt.id));
  const row = data?.statements[0];
  const status = row?.status ?? receipt.status;
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
      {status === 'FAILED' && (
        <>
          <p>{t('receipt.moneyBack')}</p>
          <p>{row?.receipt?.reason ?? t('receipt.checkAccount')}</p>
        </>
      )}
    </AlertDialog>
  );
}

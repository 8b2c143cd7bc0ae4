import type { MemberApi } from '@krapao/contract/member';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { statementRowQuery } from '../../platform/member/queries.ts';
import { receiptAction } from '../../platform/receipt-action.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import styles from './deposit.module.css';

type GiftReceipt = MemberApi['POST /api/wallet/truelink']['reply'];

const APPEARANCE = {
  SUCCESS: { tone: 'ok', title: 'deposit.giftSent', text: 'deposit.inWallet' },
  FAILED: { tone: 'bad', title: 'error.TRUELINK_INVALID', text: null },
} as const;
const WAITING = { tone: 'wait', title: 'deposit.giftSent', text: 'deposit.giftWaiting' } as const;

/** The link is sent; what becomes of it changes in place when the gift service answers late. */
export function GiftDone({ receipt }: { receipt: GiftReceipt }) {
  const { t } = useText();
  // A repeated response is the first one: the row knows how it went on since, and is read again with every notice.
  const { data } = useQuery(statementRowQuery(receipt.id));
  const now = data?.statements[0] ?? receipt;
  const appearance = now.status === 'SUCCESS' || now.status === 'FAILED' ? APPEARANCE[now.status] : WAITING;
  return (
    <AlertDialog
      tone={appearance.tone}
      title={t(appearance.title)}
      action={receiptAction(t, receipt.id)}
      onClose={closeSheet}
    >
      {now.status !== 'FAILED' && (
        <p className={styles.sum}>
          <Money amount={now.amount} currency="BAHT" />
        </p>
      )}
      {appearance.text && <p aria-live="polite">{t(appearance.text)}</p>}
    </AlertDialog>
  );
}

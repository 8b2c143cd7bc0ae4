import type { MemberApi } from '@krapao/contract/member';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { usePlaceName } from '../../platform/member/names.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { receiptAction } from '../../platform/receipt-action.ts';

type DoneReceipt =
  | MemberApi['POST /api/wallet/transfer']['reply']
  | MemberApi['POST /api/wallet/transferAll']['reply'];

const hasMoved = ({ status }: { status: string }): boolean => status !== 'FAILED';

/** How the transfer ended. An unconfirmed transfer is reported as pending, not done. */
export function TransferDone({ receipt, onClose }: { receipt: DoneReceipt; onClose: () => void }) {
  const { t } = useText();
  const placeName = usePlaceName();
  const { currency } = useKnownWallet().wallet;
  const isDone = receipt.status === 'SUCCESS';
  /** Several games emptied at once are several rows, each with a receipt of its own. */
  const rows = 'legs' in receipt && receipt.to === 'wallet' ? receipt.legs.filter(hasMoved).length : 1;
  const action = receiptAction(t, rows === 1 ? receipt.id : undefined);
  const left = 'legs' in receipt ? receipt.legs.filter(({ status }) => status === 'FAILED') : [];
  return (
    <AlertDialog
      tone={isDone ? 'ok' : 'wait'}
      title={isDone ? t('transfer.success') : t('status.inProgress')}
      action={action}
      onClose={onClose}
    >
      <p>
        <Money amount={receipt.amount} currency={currency} />
      </p>
      {left.length > 0 && (
        <p>{t('transfer.skipped', { places: left.map(({ from }) => placeName(from)).join(', ') })}</p>
      )}
    </AlertDialog>
  );
}

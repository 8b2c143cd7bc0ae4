import type { MemberApi } from '@krapao/contract/member';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { usePlaceName } from '../../platform/member/names.ts';
import { statementRowQuery } from '../../platform/member/queries.ts';
import { transferFailure } from '../../platform/member/transfer-failure.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { receiptAction } from '../../platform/receipt-action.ts';

type DoneReceipt =
  | MemberApi['POST /api/wallet/transfer']['reply']
  | MemberApi['POST /api/wallet/transferAll']['reply'];
type Row = MemberApi['POST /api/statement']['reply']['statements'][number];

const hasMoved = ({ status }: { status: string }): boolean => status !== 'FAILED';

/**
 * The row of the statement that the receipt's id names. None where several games were emptied, each a row of its own, or
 * where nothing has gone on into the game yet.
 */
function rowIdOf(receipt: DoneReceipt): string | undefined {
  if (!('legs' in receipt)) return receipt.id;
  const moved = receipt.legs.filter(hasMoved);
  const isOneRow = receipt.to === 'wallet' ? moved.length === 1 : moved.some(({ from }) => from === 'wallet');
  return isOneRow ? receipt.id : undefined;
}

/** How it stands by its row: in transit, done, or where the money is instead. */
function endOf(t: Translate, receipt: DoneReceipt, row: Row | undefined, place: string) {
  const status = row?.status ?? receipt.status;
  const failed = { tone: 'bad', title: t('status.failed') } as const;
  if (status === 'FAILED')
    return { ...failed, text: t(transferFailure(row?.from ?? receipt.from, row?.to ?? receipt.to)) };
  if (status !== 'SUCCESS') return { tone: 'wait', title: t('status.inProgress'), text: null } as const;
  // Of a transfer between games that waited for the first one, only that part is carried out.
  if (row?.to === 'wallet' && receipt.to !== 'wallet')
    return { ...failed, text: t('transfer.reachedWallet', { place }) };
  return { tone: 'ok', title: t('transfer.success'), text: null } as const;
}

/** How the transfer ended. An unconfirmed one is reported as pending, and changes in place as the game answers. */
export function TransferDone({ receipt, onClose }: { receipt: DoneReceipt; onClose: () => void }) {
  const { t } = useText();
  const placeName = usePlaceName();
  const { currency } = useKnownWallet().wallet;
  const id = rowIdOf(receipt);
  // A repeated response is the first one: the row knows how it went on since, and is read again with every notice.
  const { data } = useQuery({ ...statementRowQuery(id ?? ''), enabled: id !== undefined });
  const end = endOf(t, receipt, data?.statements[0], placeName(receipt.to));
  const left = 'legs' in receipt ? receipt.legs.filter(({ status }) => status === 'FAILED') : [];
  return (
    <AlertDialog tone={end.tone} title={end.title} action={receiptAction(t, id)} onClose={onClose}>
      <p>
        <Money amount={receipt.amount} currency={currency} />
      </p>
      {end.text && <p aria-live="polite">{end.text}</p>}
      {left.length > 0 && (
        <p>{t('transfer.skipped', { places: left.map(({ from }) => placeName(from)).join(', ') })}</p>
      )}
    </AlertDialog>
  );
}

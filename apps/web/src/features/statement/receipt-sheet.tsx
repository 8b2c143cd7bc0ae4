import type { MemberApi } from '@krapao/contract/member';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Receipt } from '@krapao/ui/components/receipt.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { TicketActions } from '@krapao/ui/components/ticket-actions.tsx';
import { TX_LOOK } from '@krapao/ui/components/tx-row.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../platform/error-text.ts';
import { usePlaceName } from '../../platform/member/names.ts';
import { queryClient, statementRowQuery } from '../../platform/member/queries.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { sumText } from '../../platform/sum-text.ts';
import { type Row, useRowTitle } from './use-row-texts.ts';

type Page = MemberApi['POST /api/statement']['reply'];

const STATUS_IDS = {
  SUCCESS: 'status.success',
  FAILED: 'status.failed',
  REVIEW: 'status.review',
  PENDING: 'status.pending',
  PROCESSING: 'status.inProgress',
} as const;

/** The receipt of one row. `arg` is its id; the row is taken from the pages that are known, or asked for. */
export default function ReceiptSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const pages = queryClient.getQueriesData<Page>({ queryKey: ['statement'] });
  const row = pages.flatMap(([, page]) => page?.statements ?? []).find(({ id }) => id === arg);
  const { isPending, error, refetch } = useQuery({ ...statementRowQuery(arg ?? ''), enabled: !row });
  if (row) return <RowReceipt row={row} />;
  return (
    <Sheet title={t('receipt.title')} onClose={closeSheet}>
      {isPending ? (
        <Skeleton heights={[280]} />
      ) : error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <EmptyState text={t('error.NO_DATA')} />
      )}
    </Sheet>
  );
}

function RowReceipt({ row }: { row: Row }) {
  const { t } = useText();
  const site = useSite();
  const placeName = usePlaceName();
  const titleOf = useRowTitle();
  const { currency } = useKnownWallet().wallet;
  const title = `${titleOf(row)} · ${t(STATUS_IDS[row.status])}`;
  const { sign } = TX_LOOK[row.statementType];
  const when = dateTimeText(row.createdAt);
  const lines = [
    { name: t('receipt.from'), value: placeName(row.from) },
    { name: t('receipt.to'), value: placeName(row.to) },
    { name: t('receipt.time'), value: when },
    { name: t('receipt.reference'), value: row.id },
  ];
  const picture = { product: site.name, title, amount: `${sign}${sumText(t, row.amount, currency)}`, lines };
  return (
    <Sheet
      title={t('receipt.title')}
      onClose={closeSheet}
      footer={<TicketActions picture={picture} fileName={`receipt-${row.id}.png`} />}
    >
      <Receipt
        status={row.status}
        title={title}
        amount={row.amount}
        sign={sign}
        currency={currency}
        when={when}
        from={placeName(row.from)}
        to={placeName(row.to)}
        reference={row.id}
        note={row.status === 'FAILED' && row.statementType === 'withdraw' && t('receipt.moneyBack')}
      />
    </Sheet>
  );
}

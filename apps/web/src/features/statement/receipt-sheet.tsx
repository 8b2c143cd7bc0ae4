import type { MemberApi } from '@krapao/contract/member';
import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Receipt } from '@krapao/ui/components/receipt.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { statusTone } from '@krapao/ui/components/status-pill.tsx';
import { TicketActions } from '@krapao/ui/components/ticket-actions.tsx';
import { TX_APPEARANCE } from '@krapao/ui/components/tx-row.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { MessageCircle, RotateCw } from 'lucide';
import type { ReactNode } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { queryClient, statementRowQuery } from '../../platform/member/queries.ts';
import { transferFailure } from '../../platform/member/transfer-failure.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { sumText } from '../../platform/sum-text.ts';
import { openSupport } from '../../platform/support.ts';
import { qrCode, useQrCode } from '../../platform/use-qr-code.ts';
import styles from './receipt-sheet.module.css';
import { type ReceiptRow, useReceiptTexts } from './receipt-view.ts';
import { repeatOf } from './repeat.ts';

type Page = MemberApi['POST /api/statement']['reply'];

/** A row that a page of the statement has brought already. */
function knownRow(id: string): Page | undefined {
  const pages = queryClient.getQueriesData<Page>({ queryKey: ['statement'] });
  const row = pages.flatMap(([, page]) => page?.statements ?? []).find((one) => one.id === id);
  return row && { statements: [row], total: 1 };
}

/** The receipt of one row, by its id in `arg`. What is known of it is shown at once; it follows the row's status. */
export default function ReceiptSheet({ arg = '' }: { arg: string | undefined }) {
  const { t } = useText();
  const { data, isPending, error, refetch } = useQuery({
    ...statementRowQuery(arg),
    placeholderData: () => knownRow(arg),
  });
  const row = data?.statements[0];
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

function RowReceipt({ row }: { row: ReceiptRow }) {
  const { t } = useText();
  const site = useSite();
  const { title, lines } = useReceiptTexts()(row);
  const { currency } = useKnownWallet().wallet;
  const { sign } = TX_APPEARANCE[row.statementType];
  const when = dateTimeText(row.createdAt);
  const balanceAfter = row.receipt?.balanceAfter ?? null;
  const code = useQrCode(row.id);
  const repeat = repeatOf(row);
  const picture = () => ({
    product: site.name,
    title,
    tone: statusTone(row.status),
    amount: `${sign}${sumText(t, row.amount, currency)}`,
    lines: [
      ...lines,
      { name: t('receipt.time'), value: when },
      { name: t('receipt.reference'), value: row.id },
    ],
    foot: {
      code: code || qrCode(row.id),
      line:
        balanceAfter === null
          ? null
          : { name: t('receipt.balanceAfter'), value: sumText(t, balanceAfter, currency) },
    },
  });
  const foot = (
    <div className={styles.foot}>
      <TicketActions picture={picture} fileName={`receipt-${row.id}.png`} />
      <div className={styles.next}>
        {repeat && (
          <Button tone="text" isSmall icon={RotateCw} onClick={repeat}>
            {t('receipt.again')}
          </Button>
        )}
        <Button tone="text" isSmall icon={MessageCircle} onClick={() => openSupport(row.id)}>
          {t('chat.aboutThis')}
        </Button>
      </div>
    </div>
  );
  return (
    <Sheet title={t('receipt.title')} onClose={closeSheet} footer={foot}>
      <Receipt
        status={row.status}
        title={title}
        amount={row.amount}
        sign={sign}
        currency={currency}
        when={when}
        lines={lines}
        reference={row.id}
        product={site.name}
        balanceAfter={balanceAfter}
        code={code}
        note={failureNote(t, row)}
      />
    </Sheet>
  );
}

/** What became of the money of a failed row, and the next step; null where there is nothing to say. */
function failureNote(t: Translate, row: ReceiptRow): ReactNode {
  if (row.status !== 'FAILED') return null;
  if (row.origin === 'report') return t('statement.reportRefused');
  if (row.statementType === 'transfer') return t(transferFailure(row.from, row.to));
  if (row.statementType === 'deposit' && row.from === 'gift') return t('error.TRUELINK_INVALID');
  if (row.statementType !== 'withdraw') return null;
  const reason = row.receipt?.reason;
  return (
    <>
      {reason && <p className={styles.reason}>{reason}</p>}
      {t('receipt.moneyBack')}
      {!reason && <p className={styles.advice}>{t('receipt.checkAccount')}</p>}
    </>
  );
}

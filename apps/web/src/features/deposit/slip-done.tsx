import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Receipt } from '@krapao/ui/components/receipt.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { TicketActions } from '@krapao/ui/components/ticket-actions.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Clock, ImagePlus, ListChecks, X } from 'lucide';
import { useEffect } from 'react';
import { usePlaceName } from '../../platform/member/names.ts';
import { slipsQuery } from '../../platform/member/queries.ts';
import { refreshWallet, useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, openSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { slipReason } from '../../platform/slip-text.ts';
import { sumText } from '../../platform/sum-text.ts';
import styles from './deposit.module.css';
import type { SlipReceipt } from './use-slip.ts';

interface SlipDoneProps {
  receipt: SlipReceipt;
  windowMinutes: number | undefined;
  onAgain: () => void;
}

const isOpen = (status: string): boolean => status !== 'SUCCESS' && status !== 'FAILED';

const POLL_MS = 5_000;

/** The slip as it now stands: what is told by the socket, and asked for where that says nothing. */
function useVerdict(receipt: SlipReceipt) {
  const { data } = useQuery({
    ...slipsQuery(1),
    enabled: isOpen(receipt.status),
    refetchInterval: ({ state }) =>
      isOpen(state.data?.slips.find(isThis)?.status ?? receipt.status) && POLL_MS,
  });
  const isThis = ({ reference }: { reference: string }) => reference === receipt.reference;
  const row = data?.slips.find(isThis);
  if (!row || !isOpen(receipt.status))
    return { status: receipt.status, amount: receipt.amount, note: receipt.message };
  return { status: row.status, amount: row.amount ?? receipt.amount, note: row.note ?? '' };
}

/** What became of a slip: credited, refused with its reason, or being checked, which turns by itself. */
export function SlipDone({ receipt, windowMinutes, onAgain }: SlipDoneProps) {
  const { t } = useText();
  const { status, amount, note } = useVerdict(receipt);
  useEffect(() => {
    if (status === 'SUCCESS') refreshWallet();
  }, [status]);
  if (status === 'SUCCESS') return <Credited receipt={receipt} amount={amount} />;
  const isRefused = status === 'FAILED';
  const foot = isRefused ? (
    <Button isWide icon={ImagePlus} onClick={onAgain}>
      {t('slip.again')}
    </Button>
  ) : (
    <Button isWide tone="line" icon={ListChecks} onClick={() => openSheet('slips')}>
      {t('slip.status')}
    </Button>
  );
  return (
    <Sheet title={t('deposit.slip')} onClose={closeSheet} footer={foot}>
      <div className={styles.paid} aria-live="polite">
        <span className={`${styles.seal} ${isRefused ? styles.refused : styles.waiting}`}>
          <Icon of={isRefused ? X : Clock} size={36} stroke={2.5} />
        </span>
        <h3>{t(isRefused ? 'slip.refused' : 'slip.checking')}</h3>
        <p>{isRefused ? slipReason(t, note, windowMinutes) : t('slip.waitHint')}</p>
      </div>
    </Sheet>
  );
}

function Credited({ receipt, amount }: { receipt: SlipReceipt; amount: number }) {
  const { t } = useText();
  const site = useSite();
  const placeName = usePlaceName();
  const { currency } = useKnownWallet().wallet;
  const title = `${t('type.deposit')} · ${t('status.success')}`;
  const when = dateTimeText(receipt.createdAt);
  const [from, to] = [placeName(receipt.from), placeName(receipt.to)];
  const lines = [
    { name: t('receipt.from'), value: from },
    { name: t('receipt.to'), value: to },
    { name: t('receipt.time'), value: when },
    { name: t('receipt.reference'), value: receipt.id },
  ];
  const picture = { product: site.name, title, amount: `+${sumText(t, amount, currency)}`, lines };
  return (
    <Sheet
      title={t('receipt.title')}
      onClose={closeSheet}
      footer={<TicketActions picture={picture} fileName={`receipt-${receipt.id}.png`} />}
    >
      <Receipt
        status="SUCCESS"
        title={title}
        amount={amount}
        sign="+"
        currency={currency}
        when={when}
        from={from}
        to={to}
        reference={receipt.id}
        note={t('deposit.inWallet')}
      />
    </Sheet>
  );
}

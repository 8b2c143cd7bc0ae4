import { Button } from '@krapao/ui/components/button.tsx';
import { cx } from '@krapao/ui/components/class-names.ts';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { supportSlot } from '@krapao/ui/components/support-slot.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Check, Clock, ImagePlus, ListChecks, X } from 'lucide';
import { useEffect } from 'react';
import { slipsQuery } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';
import { closeSheet, openSheet, swapSheet } from '../../platform/sheet-state.ts';
import { slipReason } from '../../platform/slip-text.ts';
import styles from './deposit.module.css';
import type { SlipReceipt } from './use-slip.ts';

interface SlipDoneProps {
  receipt: SlipReceipt;
  windowMinutes: number | undefined;
  onAgain: () => void;
}

const isOpen = (status: string): boolean => status !== 'SUCCESS' && status !== 'FAILED';

const POLL_MS = 5_000;

const APPEARANCE = {
  credited: { icon: Check, style: undefined, title: 'deposit.done', text: 'deposit.inWallet' },
  refused: { icon: X, style: styles.refused, title: 'slip.refused', text: null },
  open: { icon: Clock, style: styles.waiting, title: 'slip.checking', text: 'slip.waitHint' },
} as const;

/** The current state of the slip: received by the socket, and polled without it. */
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
    return { status: receipt.status, note: receipt.message, statementId: receipt.statementId };
  return { status: row.status, note: row.note ?? '', statementId: row.statementId };
}

/** What became of a slip: refused with its reason, or being checked; a credited one turns into its receipt. */
export function SlipDone({ receipt, windowMinutes, onAgain }: SlipDoneProps) {
  const { t } = useText();
  const { status, note, statementId } = useVerdict(receipt);
  useEffect(() => {
    if (status === 'SUCCESS') refreshWallet();
    if (statementId) swapSheet('receipt', statementId);
  }, [status, statementId]);
  const isRefused = status === 'FAILED';
  const reason = isRefused && slipReason(t, { note, id: receipt.id }, windowMinutes);
  const appearance = APPEARANCE[isOpen(status) ? 'open' : isRefused ? 'refused' : 'credited'];
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
        <span className={cx(styles.seal, appearance.style)}>
          <Icon of={appearance.icon} size={36} stroke={2.5} />
        </span>
        <h3>{t(appearance.title)}</h3>
        <p>{reason || (appearance.text && t(appearance.text))}</p>
        {supportSlot.under(reason)}
      </div>
    </Sheet>
  );
}

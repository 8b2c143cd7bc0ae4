import { AlertDialog, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide';
import { useState } from 'react';
import { BannersFirst } from '../../platform/banners/banners-first.tsx';
import { errorText } from '../../platform/error-text.ts';
import { PlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { receiptAction } from '../../platform/receipt-action.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { Figures } from './figures.tsx';
import { type RefundCheck, refundQuery } from './queries.ts';
import styles from './refund.module.css';
import { RefundLog } from './refund-log.tsx';
import { useRefund } from './use-refund.ts';

/** The loss and its refund: received into the refund balance, then added to the wallet. */
export default function RefundSheet() {
  const { t } = useText();
  return (
    <BannersFirst place="refund" title={t('refund.title')}>
      <Refund />
    </BannersFirst>
  );
}

function Refund() {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const { data: check, error, refetch } = useQuery(refundQuery);
  const { busy, added, forget, receive, add } = useRefund();
  const [isConfirming, setConfirming] = useState(false);
  // Without conditions it is the member's own money.
  const playStop = usePlayStop();
  const stop = check && check.info.received > 0 && check.refundSuccess > 0 ? playStop : null;
  const foot = (
    <Button isWide isBusy={busy === 'receive'} disabled={!check?.result || busy !== null} onClick={receive}>
      {t('refund.receive')}
    </Button>
  );
  return (
    <Sheet title={t('refund.title')} onClose={closeSheet} footer={foot}>
      {!check &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[96, 264]} />
        ))}
      {check && (
        <>
          {stop && <PlayStop error={stop} />}
          {check.info.received > 0 && (
            <RefundBalance
              check={check}
              // With conditions it would begin a run, which no open withdrawal may precede.
              isBusy={busy !== null || stop !== null || (check.refundSuccess > 0 && check.reason === 'OPEN')}
              onAdd={() => setConfirming(true)}
            />
          )}
          <Figures check={check} currency={currency} />
        </>
      )}
      <RefundLog currency={currency} />
      {isConfirming && added === null && check && (
        <Confirm
          title={t('refund.addConfirm', { amount: sumText(t, check.info.received, currency) })}
          confirmLabel={t('refund.addToWallet')}
          isBusy={busy === 'add'}
          onConfirm={() => add().then(() => setConfirming(false))}
          onCancel={() => setConfirming(false)}
        >
          {check.refundSuccess > 0 ? (
            <>
              <p className={layout.strong}>
                {t('invite.condition', { success: check.refundSuccess, fail: check.refundFail })}
              </p>
              <p>{t('invite.rule')}</p>
            </>
          ) : (
            <p>{t('invite.plain')}</p>
          )}
        </Confirm>
      )}
      {added !== null && (
        <AlertDialog
          tone="ok"
          title={t('refund.added')}
          action={receiptAction(t, added.statementId)}
          onClose={forget}
        >
          <p>
            <Money amount={added.amount} currency={currency} sign="+" />
          </p>
        </AlertDialog>
      )}
    </Sheet>
  );
}

interface RefundBalanceProps {
  check: RefundCheck;
  isBusy: boolean;
  onAdd: () => void;
}

/** What was received and waits; during a run it keeps waiting. */
function RefundBalance({ check: { bonus, info }, isBusy, onAdd }: RefundBalanceProps) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  return (
    <section className={styles.balance}>
      <div className={layout.row}>
        <BadgeIcon icon={HandCoins} tone="gold" />
        <div className={layout.grow}>
          <p className={layout.caption}>{t('refund.refundBalance')}</p>
          <p className={styles.waiting}>
            <Money amount={info.received} currency={currency} />
          </p>
        </div>
      </div>
      <Button tone="gold" isWide disabled={bonus || isBusy} onClick={onAdd}>
        {t('refund.addToWallet')}
      </Button>
    </section>
  );
}

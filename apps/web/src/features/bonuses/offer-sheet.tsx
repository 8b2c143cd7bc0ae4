import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { AlertDialog, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, ArrowLeftRight } from 'lucide';
import { runOf } from '../../platform/member/bonus-run.ts';
import { playErrorText } from '../../platform/member/error-text.ts';
import { gamesToEmpty, MoveOutFirst, useMoveOut } from '../../platform/member/move-out.tsx';
import { openDeposit } from '../../platform/member/open-deposit.ts';
import { activeBonusQuery } from '../../platform/member/queries.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { receiptAction } from '../../platform/receipt-action.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { roundSum, sumText } from '../../platform/sum-text.ts';
import { OfferView } from './offer-view.tsx';
import type { Offer } from './queries.ts';
import { useReceive } from './use-receive.ts';

interface OfferSheetProps {
  offer: Offer;
  call: Parameters<typeof useReceive>[0];
}

/** One bonus or promotion with the way to receive it; while a run is under way it can only be read. */
export function OfferSheet({ offer, call }: OfferSheetProps) {
  const { t, hold } = useText();
  const { currency } = useKnownWallet().wallet;
  const run = runOf(useQuery(activeBonusQuery).data);
  const { receive, isBusy, saved, failure, forget } = useReceive(call, offer);
  // A server of the version before sends none.
  const filled = offer.moveOutOf ?? [];
  const moveOut = useMoveOut(filled);
  const hasRun = offer.percentSuccess > 0 || offer.terms.turnoverTimes > 0;
  if (saved)
    return (
      <AlertDialog
        tone="ok"
        title={t(hasRun ? 'bonus.saved' : 'bonus.savedPlain')}
        action={receiptAction(t, saved.statementId)}
        onClose={closeSheet}
      />
    );
  const least = offer.terms.deposit?.least;
  const mustMove = filled.length > 0;
  const foot = run ? (
    <Button isWide onClick={closeSheet}>
      {t('btn.confirm')}
    </Button>
  ) : mustMove ? (
    <Button isWide icon={ArrowLeftRight} onClick={moveOut.open}>
      {t('transfer.title')}
    </Button>
  ) : !offer.now && least !== undefined ? (
    <Button isWide icon={ArrowDownToLine} onClick={() => openDeposit(least)}>
      {t('bonus.depositNow', { amount: roundSum(t, least, currency) })}
    </Button>
  ) : (
    <Button isWide isBusy={isBusy} onClick={receive}>
      {offer.now
        ? t('bonus.receiveSum', { amount: sumText(t, offer.now.amount, currency) })
        : t('bonus.receive')}
    </Button>
  );
  return (
    <Sheet title={hold(offer.title)} onClose={closeSheet} footer={foot}>
      {!run && mustMove && <MessageBox tone="info">{moveOut.text}</MessageBox>}
      <OfferView offer={offer} isFound={call.includes('promotion')} />
      {failure !== null && <Failure error={failure} onClose={forget} />}
    </Sheet>
  );
}

/** Why it was not received; a deposit that is missing can be made from here, and money moved out of games. */
function Failure({ error, onClose }: { error: unknown; onClose: () => void }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const games = gamesToEmpty(error);
  if (games.length > 0) return <MoveOutFirst games={games} onClose={onClose} />;
  if (codeOf(error) !== 'BONUS_DEPOSIT_REQUIRED')
    return <AlertDialog tone="bad" title={playErrorText(t, error)} onClose={onClose} />;
  const { min, max } = error instanceof ApiError ? error.data : {};
  const sum = (amount: unknown) => roundSum(t, Number(amount), currency);
  const title =
    typeof max === 'number'
      ? t('error.BONUS_DEPOSIT_REQUIRED', { min: sum(min), max: sum(max) })
      : t('bonus.depositFirst', { min: sum(min) });
  return (
    <Confirm
      title={title}
      confirmLabel={t('deposit.tile')}
      cancelLabel={t('btn.close')}
      onConfirm={() => openDeposit(typeof min === 'number' ? min : undefined)}
      onCancel={onClose}
    />
  );
}

import { codeOf } from '@krapao/ui/api/api-error.ts';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { playErrorText } from '../../platform/member/error-text.ts';
import { isPlayStop, PlayStop } from '../../platform/member/play-stop.tsx';
import { depositQuery } from '../../platform/member/queries.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { BankAccountStep } from './bank-account-step.tsx';
import {
  channelKey,
  type DepositBank,
  type DepositLookup,
  GIFT_KEY,
  isSentTo,
  sendWallets,
  stepOf,
  takesGifts,
  usualChannel,
  walletKey,
} from './channels.ts';
import { Chooser } from './chooser.tsx';
import { GiftStep } from './gift-step.tsx';
import { PaidDuringStop } from './paid-before.tsx';
import { QrStep } from './qr-step.tsx';
import { ReportStep } from './report-step.tsx';
import { SlipStep } from './slip-step.tsx';
import { useArrival } from './use-arrival.ts';
import { WalletStep } from './wallet-step.tsx';

/**
 * Returns the member's usual channel as it was when the sheet opened. A deposit that arrives later may change it, and
 * must not replace the form that is being filled in.
 */
function useUsualChannel(lookup: DepositLookup | undefined): string | undefined {
  const [found, setFound] = useState<{ channel: string | undefined } | null>(null);
  if (!lookup || found) return found?.channel;
  const channel = usualChannel(lookup);
  setFound({ channel });
  return channel;
}

/**
 * The chosen bank as it was last offered: while its QR is open or has just been paid, the bank may be offered no more,
 * because its account is full or paused.
 */
function useLastOffered(offered: DepositBank | undefined, channel: string): DepositBank | undefined {
  const [last, setLast] = useState(offered);
  if (offered && offered !== last) setLast(offered);
  return offered ?? (last && channelKey(last) === channel ? last : undefined);
}

/**
 * Deposit: first the channel, unless the member usually takes the same, then what that channel needs. `arg` names the
 * channel.
 */
export default function DepositSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const { data: known, error, refetch } = useQuery(depositQuery);
  // What was offered before an exclusion is not shown during it.
  const data = codeOf(error) === 'SELF_EXCLUDED' ? undefined : known;
  const { step, channel: named } = stepOf(arg);
  const found = useUsualChannel(data);
  const usual = named === '' && step === 'channel' ? found : undefined;
  const channel = usual ?? named;
  const isUsual = usual !== undefined;
  // Here, not in its step: the deposit may have filled the account, which is then offered no more.
  useArrival(step === 'channel' && isSentTo(channel));
  const offered = data?.banks.find((bank) => channelKey(bank) === channel);
  const chosen = useLastOffered(offered, channel);
  if (step === 'slip' && (data || isPlayStop(error))) return <SlipStep bank={offered} />;
  if (step === 'report' && (data?.isManual || isPlayStop(error)))
    return <ReportStep bank={offered} hasOpen={data?.hasReport === true} />;
  if (data && chosen?.mode === 'QR')
    return <QrStep bank={chosen} lookup={data} isOffered={offered !== undefined} isUsual={isUsual} />;
  if (data && channel === GIFT_KEY && takesGifts(data))
    return <GiftStep minimum={data.giftMinimum} isUsual={isUsual} />;
  const wallet = data && sendWallets(data).find((one) => walletKey(one) === channel);
  if (wallet) return <WalletStep wallet={wallet} isManual={data.isManual} isUsual={isUsual} />;
  if (data && offered) return <BankAccountStep bank={offered} isManual={data.isManual} isUsual={isUsual} />;
  if (data && !isPlayStop(error)) return <Chooser lookup={data} />;
  return (
    <Sheet title={t('deposit.title')} onClose={closeSheet}>
      {isPlayStop(error) ? (
        <>
          <PlayStop error={error} />
          <PaidDuringStop />
        </>
      ) : error ? (
        <ErrorState text={playErrorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[24, 72, 72]} />
      )}
    </Sheet>
  );
}

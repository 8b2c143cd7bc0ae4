import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { playErrorText } from '../../platform/member/error-text.ts';
import { isPlayStop, PlayStop } from '../../platform/member/play-stop.tsx';
import { depositQuery } from '../../platform/member/queries.ts';
import { closeSheet } from '../../platform/sheet-state.ts';
import { BankAccountStep } from './bank-account-step.tsx';
import { channelKey, GIFT_KEY, sendWallets, stepOf, takesGifts, walletKey } from './channels.ts';
import { Chooser } from './chooser.tsx';
import { GiftStep } from './gift-step.tsx';
import { QrStep } from './qr-step.tsx';
import { ReportStep } from './report-step.tsx';
import { SlipStep } from './slip-step.tsx';
import { WalletStep } from './wallet-step.tsx';

/** Deposit: first the channel, then what that channel needs. `arg` names the channel. */
export default function DepositSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const { data, error, refetch } = useQuery(depositQuery);
  const { step, channel } = stepOf(arg);
  const chosen = data?.banks.find((bank) => channelKey(bank) === channel);
  if (data && step === 'slip') return <SlipStep bank={chosen} />;
  if (data && step === 'report' && chosen && data.isManual) return <ReportStep bank={chosen} />;
  if (data && chosen?.mode === 'QR') return <QrStep bank={chosen} totalSeconds={data.qrMinutes * 60} />;
  if (data && arg === GIFT_KEY && takesGifts(data)) return <GiftStep minimum={data.giftMinimum} />;
  const wallet = data && sendWallets(data).find((one) => walletKey(one) === arg);
  if (wallet) return <WalletStep wallet={wallet} />;
  if (data && chosen) return <BankAccountStep bank={chosen} isManual={data.isManual} />;
  if (data) return <Chooser lookup={data} />;
  return (
    <Sheet title={t('deposit.title')} onClose={closeSheet}>
      {isPlayStop(error) ? (
        <PlayStop error={error} />
      ) : error ? (
        <ErrorState text={playErrorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[24, 72, 72]} />
      )}
    </Sheet>
  );
}

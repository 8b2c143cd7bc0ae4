import { Button } from '@krapao/ui/components/button.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { svgAddress } from '@krapao/ui/components/picture.ts';
import { QrTicket } from '@krapao/ui/components/qr-ticket.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { TicketActions } from '@krapao/ui/components/ticket-actions.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { playErrorText } from '../../platform/member/error-text.ts';
import { useBankColor, useBankName } from '../../platform/member/names.ts';
import { refreshWallet, useKnownWallet } from '../../platform/member/wallet.ts';
import { backSheet, closeSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { sumText } from '../../platform/sum-text.ts';
import type { DepositBank, DepositLookup } from './channels.ts';
import { Chooser } from './chooser.tsx';
import { PaidStep } from './paid-step.tsx';
import { QrForm } from './qr-form.tsx';
import { useArrival } from './use-arrival.ts';
import { type OpenQr, useQr } from './use-qr.ts';

interface QrStepProps {
  bank: DepositBank;
  lookup: DepositLookup;
  /** Whether another QR can be made: the bank is still among the channels. */
  isOffered: boolean;
  /** It was opened at once, without the list of channels. */
  isUsual: boolean;
}

/** A QR deposit: choose an amount, pay the QR, see it arrive. */
export function QrStep({ bank, lookup, isOffered, isUsual }: QrStepProps) {
  const { t } = useText();
  const totalSeconds = lookup.qrMinutes * 60;
  const { query, qr, lastId, isExpired, paid, cancel } = useQr(bank.bankCode);
  // A transfer in kip has no reference: of another amount, or after the end of the QR, it arrives without the QR's id.
  useArrival(bank.currency === 'LAK' && lastId !== null && paid === null);
  if (paid !== null) return <PaidStep paid={paid} />;
  if (qr) return <OpenStep bank={bank} totalSeconds={totalSeconds} qr={qr} onCancel={cancel} />;
  if (query.data && !isOffered) return <Chooser lookup={lookup} />;
  if (query.data) return <QrForm bank={bank} lookup={lookup} isUsual={isUsual} isExpired={isExpired} />;
  return (
    <Sheet title={t('deposit.qr')} onClose={closeSheet} onBack={backSheet}>
      {query.error ? (
        <ErrorState text={playErrorText(t, query.error)} onRetry={() => query.refetch()} />
      ) : (
        <Skeleton heights={[88, 260]} />
      )}
    </Sheet>
  );
}

interface OpenStepProps {
  bank: DepositBank;
  totalSeconds: number;
  qr: OpenQr;
  onCancel: () => Promise<void>;
}

function OpenStep({ bank, totalSeconds, qr, onCancel }: OpenStepProps) {
  const { t } = useText();
  const bankName = useBankName();
  const colorOf = useBankColor();
  const { currency } = useKnownWallet().wallet;
  const picture = useTicketPicture(bank, qr);
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    await onCancel().catch((error) => showToast('bad', playErrorText(t, error)));
    setBusy(false);
  };
  const finish = () => {
    closeSheet();
    refreshWallet();
    showToast('info', t('qr.doneHint'));
  };
  const foot = (
    <>
      <Button isWide onClick={finish}>
        {t('qr.done')}
      </Button>
      <Button isWide isSmall tone="bad" isBusy={isBusy} onClick={cancel}>
        {t('qr.cancel')}
      </Button>
    </>
  );
  return (
    <Sheet title={t('qr.scanToDeposit')} onClose={closeSheet} onBack={backSheet} footer={foot}>
      <QrTicket
        bankCode={bank.bankCode}
        bankName={bankName(bank.bank)}
        bankColor={colorOf(bank.bankCode)}
        amount={qr.amount}
        currency={currency}
        svg={qr.qrcode}
        reference={qr.reference ?? ''}
        expiresAt={qr.expiresAt}
        totalSeconds={totalSeconds}
      />
      <TicketActions picture={() => picture} fileName={`qr-${qr.reference ?? bank.bankCode}.png`} />
    </Sheet>
  );
}

/** The ticket as it is saved: a bank app scans it from the gallery, so it contains amount, expiry and reference. */
function useTicketPicture(bank: DepositBank, qr: OpenQr) {
  const { t } = useText();
  const site = useSite();
  const bankName = useBankName();
  const { currency } = useKnownWallet().wallet;
  return {
    product: site.name,
    title: t('qr.toPay', { bank: bankName(bank.bank) }),
    amount: sumText(t, qr.amount, currency),
    code: svgAddress(qr.qrcode),
    lines: [
      { name: t('qr.validUntil'), value: dateTimeText(qr.expiresAt) },
      { name: t('receipt.reference'), value: qr.reference ?? '' },
    ],
  };
}

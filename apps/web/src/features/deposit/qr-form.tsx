import { quickAmounts } from '@krapao/contract/shared';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { AmountField, QuickAmounts } from '@krapao/ui/components/amount-field.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, QrCode, ScanLine, UserCheck } from 'lucide';
import { type FormEvent, useState } from 'react';
import { codeText } from '../../platform/error-text.ts';
import {
  type AmountRange,
  depositRange,
  offeredAmounts,
  rangeProblem,
} from '../../platform/member/amount-range.ts';
import { playErrorText } from '../../platform/member/error-text.ts';
import { useBankName } from '../../platform/member/names.ts';
import { depositQuery, queryClient } from '../../platform/member/queries.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { backSheet, closeSheet, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { useIsShown } from '../../platform/use-is-shown.ts';
import { AllChannels } from './all-channels.tsx';
import { type DepositBank, type DepositLookup, lastSum } from './channels.ts';
import styles from './deposit.module.css';
import { mayCreate } from './qr-rules.ts';
import { ReportButton } from './report-button.tsx';
import { createQr } from './use-qr.ts';

interface QrFormProps {
  bank: DepositBank;
  lookup: DepositLookup;
  isUsual: boolean;
  isExpired: boolean;
}

/** What may be deposited now: another day or the end of a QR leaves more of a limit. What was known where that fails. */
const readFresh = (known: DepositLookup): Promise<DepositLookup> =>
  queryClient.fetchQuery({ ...depositQuery, staleTime: 0 }).catch(() => known);

/** How much the QR is for. */
export function QrForm({ bank, lookup, isUsual, isExpired }: QrFormProps) {
  const { t } = useText();
  const bankName = useBankName();
  const { currency } = useKnownWallet().wallet;
  const range = depositRange(bank, lookup);
  const last = lastSum(lookup, bank);
  // Who always pays the same way finds the last sum filled in.
  const [typed, setTyped] = useState(() => String(sheetFill()?.amount ?? (isUsual ? last : null) ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const amount = parseAmount(typed, currency);
  const isReady = mayCreate(bank.bankCode, amount);

  const isShown = useIsShown();

  const problemOf = (wanted: number, { least, most, bound }: AmountRange): string | null => {
    const side = rangeProblem(wanted, { least, most })?.side;
    if (side === 'low') return t('transfer.atLeast', { min: sumText(t, least, currency) });
    if (side !== 'high') return null;
    return bound === 'limit'
      ? t('limit.left', { left: sumText(t, most, currency) })
      : t('error.TRANSFER_MAXIMUM', { max: sumText(t, most, currency) });
  };
  const type = (text: string) => {
    setProblem(null);
    setTyped(text);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setBusy(true);
    const isOverLimit = range.bound === 'limit' && rangeProblem(amount, range)?.side === 'high';
    const wrong = problemOf(amount, isOverLimit ? depositRange(bank, await readFresh(lookup)) : range);
    if (!isShown()) return;
    setProblem(wrong);
    if (wrong) return setBusy(false);
    try {
      const state = await createQr(bank.bankCode, amount);
      if (!state.hasQrcode) showToast('bad', codeText(t, state.message ?? 'QR_FAIL'));
    } catch (error) {
      const { max } = error instanceof ApiError ? error.data : {};
      const figures = typeof max === 'number' ? { max: sumText(t, max, currency) } : {};
      showToast('bad', playErrorText(t, error, figures));
    }
    setBusy(false);
  };

  // A QR in kip has no reference of ours: the transfer is known by the account it comes from.
  const isByAccount = currency === 'LAK';
  const foot = (
    <>
      <Button type="submit" form="qr-form" isWide icon={QrCode} disabled={!isReady} isBusy={isBusy}>
        {isReady ? t('qr.createFor', { amount: sumText(t, amount, currency) }) : t('qr.create')}
      </Button>
      {isByAccount && lookup.isManual && <ReportButton bank={bank} />}
    </>
  );
  const title = `${t('deposit.qr')} · ${bankName(bank.bank)}`;
  return (
    <Sheet title={title} onClose={closeSheet} onBack={isUsual ? undefined : backSheet} footer={foot}>
      {isExpired && <MessageBox tone="warn">{t('qr.expired')}</MessageBox>}
      <form id="qr-form" onSubmit={submit}>
        <AmountField
          label={t('money.amount')}
          currency={currency}
          value={typed}
          onChange={type}
          isWrong={problem !== null}
          hint={bank.minimum !== null && t('money.min', { min: sumText(t, bank.minimum, currency) })}
        />
      </form>
      {problem && <MessageBox tone="bad">{problem}</MessageBox>}
      <QuickAmounts
        label={t('deposit.quick')}
        amounts={offeredAmounts(quickAmounts(bank.bankCode, currency), last, range)}
        last={last}
        chosen={amount}
        onChoose={(quick) => type(String(quick))}
      />
      <ul className={styles.notes}>
        <li className={styles.note}>
          <Icon of={ScanLine} size={20} />
          {t('qr.once', { minutes: lookup.qrMinutes })}
        </li>
        {isByAccount && (
          <li className={styles.note}>
            <Icon of={UserCheck} size={20} />
            {t('deposit.ownAccount')}
          </li>
        )}
        <li className={styles.note}>
          <Icon of={Clock} size={20} />
          {t('deposit.oneMinute')}
        </li>
      </ul>
      {isUsual && <AllChannels />}
    </Sheet>
  );
}

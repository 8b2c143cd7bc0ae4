import type { MemberApi } from '@krapao/contract/member';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { rangeProblem, withdrawRange } from '../../platform/member/amount-range.ts';
import { activeBonusQuery, queryClient, withdrawQuery } from '../../platform/member/queries.ts';
import { readFreshWallet, refreshWallet, sendMoney, useKnownWallet } from '../../platform/member/wallet.ts';
import { isPinWanted } from '../../platform/once-only.ts';
import { pendingBody, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';

export const CALL = 'POST /api/wallet/withdrawAll';
type WithdrawReceipt = MemberApi[typeof CALL]['reply'];
type Limits = MemberApi['GET /api/lookup/withdraw']['reply'];

export interface WithdrawProblem {
  text: string;
  /** What to do about it, where that is a sentence of its own. */
  wayOut?: string;
  /** Whether the amount itself is wrong. */
  isAmount: boolean;
}

const AMOUNT_CODES = ['WITHDRAW_MINIMUM', 'WITHDRAW_MAXIMUM', 'MONEY_NOT_ENOUGH', 'TRANSFER_MINIMUM'];

/** Refusals after which the limits, an open withdrawal or the stop of all withdrawals are read again. */
const STALE_CODES = ['UNAUTHORIZED', 'REQUEST_LIMIT', 'WITHDRAW_MINIMUM', 'WITHDRAW_MAXIMUM'];

/** The state of the withdraw form. An intent left unanswered by a reload is filled in again. */
export function useWithdraw(limits: Limits, onDone: (receipt: WithdrawReceipt) => void) {
  const { t } = useText();
  const wallet = useKnownWallet();
  const { currency } = wallet.wallet;
  const range = withdrawRange(wallet, limits);
  const [pending] = useState(() => pendingBody<{ amount: number }>(CALL));
  const [typed, setTyped] = useState(() => String((pending ?? sheetFill())?.amount ?? ''));
  const [problem, setProblem] = useState<WithdrawProblem | null>(
    pending ? { text: t('error.unknownResult'), isAmount: false } : null,
  );
  const [isBusy, setBusy] = useState(false);
  const [isPinRequired, setPinRequired] = useState(false);

  const limitText = (amount: number, within: typeof range): WithdrawProblem | null => {
    const wrong = rangeProblem(amount, within);
    if (wrong === null) return null;
    const off = sumText(t, wrong.off, currency);
    if (wrong.side === 'low')
      return {
        text: t('withdraw.belowMin', { min: sumText(t, within.least, currency) }),
        wayOut: t('withdraw.addMore', { amount: off }),
        isAmount: true,
      };
    const isRule = amount > limits.withdrawMax;
    return {
      text: isRule
        ? t('withdraw.aboveMax', { max: sumText(t, limits.withdrawMax, currency) })
        : t('withdraw.aboveBalance', { max: sumText(t, within.available, currency) }),
      wayOut: t('withdraw.takeLess', { amount: off }),
      isAmount: true,
    };
  };

  const refusal = (error: unknown): WithdrawProblem => {
    const code = codeOf(error);
    const data = error instanceof ApiError ? error.data : {};
    // What began or was stopped meanwhile is then shown by the sheet, in place of the form.
    if (code === 'BONUS_REMAINING') queryClient.invalidateQueries({ queryKey: activeBonusQuery.queryKey });
    if (STALE_CODES.includes(code)) queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey });
    if (code === 'UNAUTHORIZED') return { text: t('withdraw.stopped'), isAmount: false };
    if (code === 'REQUEST_LIMIT') return { text: t('withdraw.oneOpen'), isAmount: false };
    if (code === 'TRANSFER_FAIL') return { text: t('transfer.failedStays'), isAmount: false };
    const figures = {
      min: sumText(t, Number(data.min ?? limits.withdrawMin), currency),
      max: sumText(t, Number(data.max ?? limits.withdrawMax), currency),
    };
    return { text: errorText(t, error, figures), isAmount: AMOUNT_CODES.includes(code) };
  };

  const send = async (amount: number | null) => {
    if (amount === null || isBusy) return;
    setBusy(true);
    const isOverBalance = amount > range.available && amount <= limits.withdrawMax;
    const current = isOverBalance ? withdrawRange(await readFreshWallet(wallet), limits) : range;
    const wrong = limitText(amount, current);
    setProblem(wrong);
    if (wrong) return setBusy(false);
    try {
      onDone(await sendMoney(CALL, { amount }));
      queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey });
    } catch (error) {
      if (isPinWanted(error)) setPinRequired(true);
      else setProblem(refusal(error));
      // Game balances may have come home before it was refused.
      refreshWallet();
      setBusy(false);
    }
  };

  const type = (text: string) => {
    setProblem(null);
    setTyped(text);
  };
  return { range, typed, setTyped: type, problem, isBusy, send, isPinRequired, setPinRequired };
}

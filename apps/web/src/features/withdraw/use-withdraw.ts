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
import { useIsShown } from '../../platform/use-is-shown.ts';

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

/** What the form says of an amount outside a range, and of a refusal. */
function useProblemTexts(limits: Limits) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const limitText = (amount: number, within: ReturnType<typeof withdrawRange>): WithdrawProblem | null => {
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
  return { limitText, refusal };
}

/** The state of the withdraw form. While a withdrawal is without a response, also after a reload, `unanswered` has it. */
export function useWithdraw(limits: Limits, onDone: (receipt: WithdrawReceipt) => void) {
  const wallet = useKnownWallet();
  const { limitText, refusal } = useProblemTexts(limits);
  const range = withdrawRange(wallet, limits);
  const [unanswered, setUnanswered] = useState(() => pendingBody<{ amount: number }>(CALL));
  const [typed, setTyped] = useState(() => String((unanswered ?? sheetFill())?.amount ?? ''));
  const [problem, setProblem] = useState<WithdrawProblem | null>(null);
  const isShown = useIsShown();
  const [isBusy, setBusy] = useState(false);
  const [isPinRequired, setPinRequired] = useState(false);

  const problemOf = async (amount: number): Promise<WithdrawProblem | null> => {
    // A repeat requests the first response: the wallet may be without the amount already.
    if (amount === unanswered?.amount) return null;
    const isOverBalance = amount > range.available && amount <= limits.withdrawMax;
    return limitText(amount, isOverBalance ? withdrawRange(await readFreshWallet(wallet), limits) : range);
  };

  const send = async (amount: number | null) => {
    if (amount === null || isBusy) return;
    setBusy(true);
    const wrong = await problemOf(amount);
    // Nothing is sent from a form that was closed while the games were read or the PIN was checked.
    if (!isShown()) return;
    setProblem(wrong);
    if (wrong) return setBusy(false);
    try {
      onDone(await sendMoney(CALL, { amount }));
      queryClient.invalidateQueries({ queryKey: withdrawQuery.queryKey });
    } catch (error) {
      setUnanswered(pendingBody(CALL));
      if (isPinWanted(error)) setPinRequired(true);
      else if (codeOf(error) !== 'unknownResult') setProblem(refusal(error));
      // Game balances may have come home before it was refused.
      refreshWallet();
      setBusy(false);
    }
  };

  const type = (text: string) => {
    setProblem(null);
    setTyped(text);
  };
  return {
    range,
    typed,
    setTyped: type,
    problem,
    isBusy,
    send,
    isPinRequired,
    setPinRequired,
    unanswered: unanswered?.amount ?? null,
  };
}

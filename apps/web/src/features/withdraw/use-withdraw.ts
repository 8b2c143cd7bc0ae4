import type { MemberApi } from '@krapao/contract/member';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { refreshWallet, sendMoney, useKnownWallet } from '../../platform/member/wallet.ts';
import { pendingBody, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { limitProblem } from './withdraw-rules.ts';

const CALL = 'POST /api/wallet/withdrawAll';
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

/** Whether the member's PIN must be proven first. */
const isPinWanted = (error: unknown): boolean => error instanceof ApiError && error.data.pin === true;

/** The state of the withdraw form. An intent left unanswered by a reload is filled in again. */
export function useWithdraw(limits: Limits, onDone: (receipt: WithdrawReceipt) => void) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const [pending] = useState(() => pendingBody<{ amount: number }>(CALL));
  const [typed, setTyped] = useState(() => String((pending ?? sheetFill())?.amount ?? ''));
  const [problem, setProblem] = useState<WithdrawProblem | null>(
    pending ? { text: t('error.unknownResult'), isAmount: false } : null,
  );
  const [isBusy, setBusy] = useState(false);
  const [isPinAsked, setPinAsked] = useState(false);

  const limitText = (amount: number): WithdrawProblem | null => {
    const wrong = limitProblem(amount, limits);
    if (wrong === null) return null;
    const isLow = wrong === 'minimum';
    const difference = isLow ? limits.withdrawMin - amount : amount - limits.withdrawMax;
    return {
      text: isLow
        ? t('withdraw.belowMin', { min: sumText(t, limits.withdrawMin, currency) })
        : t('withdraw.aboveMax', { max: sumText(t, limits.withdrawMax, currency) }),
      wayOut: t(isLow ? 'withdraw.addMore' : 'withdraw.takeLess', {
        amount: sumText(t, difference, currency),
      }),
      isAmount: true,
    };
  };

  const refusal = (error: unknown): WithdrawProblem => {
    const code = codeOf(error);
    if (code === 'REQUEST_LIMIT') return { text: t('withdraw.oneOpen'), isAmount: false };
    const figures = {
      min: sumText(t, limits.withdrawMin, currency),
      max: sumText(t, limits.withdrawMax, currency),
    };
    return { text: errorText(t, error, figures), isAmount: AMOUNT_CODES.includes(code) };
  };

  const send = async (amount: number | null) => {
    if (amount === null || isBusy) return;
    const wrong = limitText(amount);
    setProblem(wrong);
    if (wrong) return;
    setBusy(true);
    try {
      onDone(await sendMoney(CALL, { amount }));
    } catch (error) {
      if (isPinWanted(error)) setPinAsked(true);
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
  return { typed, setTyped: type, problem, isBusy, send, isPinAsked, setPinAsked };
}

import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { refreshPlayStop } from '../../platform/member/play-stop.tsx';
import { queryClient, slotAccountQuery } from '../../platform/member/queries.ts';
import { refreshWallet, sendMoney, takeSlot } from '../../platform/member/wallet.ts';
import type { Slot } from '../../platform/member/wallet-merge.ts';
import { pendingBody } from '../../platform/sheet-state.ts';
import { useIsShown } from '../../platform/use-is-shown.ts';

const TRANSFER = 'POST /api/wallet/transfer';

/** What is being done: the account opened, money moved in, the game entered. */
type Step = 'opening' | 'moving' | 'entering';

/** Why the game was not entered, and where the money is. */
export interface PlayProblem {
  step: Step;
  /** null: the money is still on its way. */
  error: unknown;
  /** What was to be moved in. */
  amount: number;
}

/** The transfer into this game that was sent, perhaps before a reload, and has no response; null when there is none. */
function unansweredInto(slotCode: string): PlayProblem | null {
  const body = pendingBody<{ to: string; amount: number }>(TRANSFER);
  if (body?.to !== slotCode) return null;
  return { step: 'moving', error: new ApiError('unknownResult', {}, 0), amount: body.amount };
}

/** A one-use link into the game. */
async function linkInto({ code }: Slot): Promise<string> {
  const { username } = await queryClient.fetchQuery(slotAccountQuery(code));
  const params = { game: code, username };
  return (await api('GET /api/autoLogin/{game}/{username}', { params })).link;
}

/**
 * Opens the account where there is none, moves the chosen sum in, and enters the game in a new tab. Whatever fails keeps
 * the steps after it from being taken; a transfer without an answer is sent again under its key.
 */
export function usePlay(slot: Slot) {
  const [problem, setProblem] = useState<PlayProblem | null>(() => unansweredInto(slot.code));
  const [amount, setAmount] = useState(problem?.amount ?? 0);
  const [step, setStep] = useState<Step | null>(null);
  const isShown = useIsShown();

  const open = async () => {
    setStep('opening');
    takeSlot(await api('GET /api/wallet/activate/{slotCode}', { params: { slotCode: slot.code } }));
  };
  /** Whether the money has arrived. */
  const bring = async (): Promise<boolean> => {
    setStep('moving');
    const receipt = await sendMoney(TRANSFER, { from: 'wallet', to: slot.code, amount });
    refreshWallet();
    setAmount(0);
    return receipt.status === 'SUCCESS';
  };

  const play = async () => {
    if (step !== null) return;
    // Opened inside the press itself: a tab opened after waiting for the answers is blocked as a popup.
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null;
    setProblem(null);
    let at: Step = 'opening';
    try {
      if (!slot.isActive) await open();
      // No money moves into a game whose sheet was closed meanwhile.
      if (!isShown()) return tab?.close();
      at = 'moving';
      if (amount > 0 && !(await bring())) {
        tab?.close();
        setProblem({ step: at, error: null, amount });
        return;
      }
      at = 'entering';
      setStep(at);
      const link = await linkInto(slot);
      if (tab) tab.location.replace(link);
      else location.assign(link);
    } catch (error) {
      tab?.close();
      setProblem({ step: at, error, amount });
      refreshPlayStop(error);
      if (at === 'moving' || codeOf(error) === 'SLOT_ALREADY_ACTIVE') refreshWallet();
    } finally {
      setStep(null);
    }
  };
  const choose = (sum: number) => {
    setProblem(null);
    setAmount(sum);
  };
  const isUnanswered = step === null && unansweredInto(slot.code) !== null;
  return { play, step, problem, amount, choose, isUnanswered };
}

export type Play = ReturnType<typeof usePlay>;

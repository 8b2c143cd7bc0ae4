import type { MemberApi } from '@krapao/contract/member';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { useRefreshOnClose } from '../../platform/member/refresh-on-close.ts';
import { refreshWallet, sendMoney, useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, pendingBody, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { type Account, accountsOf, transferProblem } from './accounts.ts';

type TransferReceipt = MemberApi['POST /api/wallet/transfer']['reply'];
type AllReceipt = MemberApi['POST /api/wallet/transferAll']['reply'];
type Body = { from: string; to: string; amount: number };

interface Problem {
  field?: 'amount' | 'accounts';
  text?: string;
  error?: unknown;
}

/** Refusals after which the figures may be others. */
const STALE = ['TRANSFER_FAIL', 'unknownResult', 'MONEY_NOT_ENOUGH', 'TRANSFER_MINIMUM'];

/** Sends one transfer at a time and remembers how it ended. */
function useSending(wasLeftUnanswered: boolean) {
  const { t } = useText();
  const [problem, setProblem] = useState<Problem | null>(
    wasLeftUnanswered ? { text: t('error.unknownResult') } : null,
  );
  const [isBusy, setBusy] = useState(false);
  const [receipt, setReceipt] = useState<TransferReceipt | AllReceipt | null>(null);
  const markSaved = useRefreshOnClose();
  const run = async (work: () => Promise<TransferReceipt | AllReceipt>) => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await work();
      markSaved();
      setReceipt(answer);
    } catch (error) {
      setProblem({ error });
      // Part of it may have moved: what failed on its way to a game is back in the wallet. What a game holds is read
      // anew before money leaves it: the figure that was refused may be old.
      if (STALE.includes(codeOf(error))) refreshWallet();
    } finally {
      setBusy(false);
    }
  };
  return { run, problem, setProblem, isBusy, receipt };
}

/** From the wallet into the game it was opened for, else the first; out of one that takes nothing in. */
function startingPair(accounts: Account[], opened: string | undefined): { from: string; to: string } {
  const isShut = accounts.find(({ code }) => code === opened)?.isShut;
  if (opened && isShut) return { from: opened, to: 'wallet' };
  const first = accounts.find(({ rate, isShut }) => rate !== null && !isShut)?.code ?? '';
  return { from: 'wallet', to: opened ?? first };
}

/** The state of the transfer sheet and what it can send. An intent left unanswered by a reload is filled in again. */
export function useTransfer(opened: string | undefined) {
  const { t } = useText();
  const wallet = useKnownWallet();
  const { currency } = wallet.wallet;
  const accounts = accountsOf(wallet);
  const [pending] = useState(() => pendingBody<Body>('POST /api/wallet/transfer'));
  const [start] = useState(() => startingPair(accounts, opened));
  const [filled] = useState(() => pending ?? sheetFill());
  const [fromCode, setFrom] = useState(filled?.from ?? start.from);
  const [toCode, setTo] = useState(filled?.to ?? start.to);
  const [typed, setTyped] = useState(String(filled?.amount ?? ''));
  const { run, problem, setProblem, isBusy, receipt } = useSending(pending !== null);
  const from = accounts.find(({ code }) => code === fromCode);
  const forget =
    <T>(set: (value: T) => void) =>
    (value: T) => {
      setProblem(null);
      set(value);
    };

  return {
    accounts,
    currency,
    typed,
    problem,
    isBusy,
    receipt,
    from,
    to: accounts.find(({ code }) => code === toCode),
    setFrom: forget(setFrom),
    setTo: forget(setTo),
    setTyped: forget(setTyped),
    swap: () => {
      setProblem(null);
      setFrom(toCode);
      setTo(fromCode);
    },
    send: (amount: number | null) => {
      const wrong = transferProblem(fromCode, toCode, amount, from?.balance);
      if (wrong !== null) {
        const text = wrong === 'transfer.atLeast' ? t(wrong, { min: sumText(t, 1, currency) }) : t(wrong);
        return setProblem({ field: wrong === 'transfer.atLeast' ? 'amount' : 'accounts', text });
      }
      if (accounts.find(({ code }) => code === toCode)?.isShut)
        return setProblem({ field: 'accounts', text: t('game.maintenanceNote') });
      const body = { from: fromCode, to: toCode, amount: amount as number };
      return run(() => sendMoney('POST /api/wallet/transfer', body));
    },
    sendAll: (to: string) => run(() => sendMoney('POST /api/wallet/transferAll', { to })),
    sendGameHome: (from: string, amount: number) =>
      run(() => sendMoney('POST /api/wallet/transfer', { from, to: 'wallet', amount })),
    close: closeSheet,
  };
}

export type Transfer = ReturnType<typeof useTransfer>;

import type { MemberApi } from '@krapao/contract/member';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { type AmountRange, rangeProblem, transferRange } from '../../platform/member/amount-range.ts';
import { refreshPlayStop } from '../../platform/member/play-stop.tsx';
import { useRefreshOnClose } from '../../platform/member/refresh-on-close.ts';
import { readFreshWallet, refreshWallet, sendMoney, useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, pendingBody, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { type Account, accountsOf, type Bars, pairProblem } from './accounts.ts';

type TransferReceipt = MemberApi['POST /api/wallet/transfer']['reply'];
type AllReceipt = MemberApi['POST /api/wallet/transferAll']['reply'];
type Body = { from: string; to: string; amount: number };

interface Problem {
  field?: 'amount' | 'accounts';
  text?: string;
  error?: unknown;
}

/** Why no money goes into a game now. */
const SHUT = {
  maintenance: 'game.maintenanceNote',
  bonus: 'transfer.notInBonus',
  time: 'bonus.timeOver',
  limits: 'transfer.notByLimits',
} as const;

/** Refusals after which the figures may be others. */
const STALE = ['TRANSFER_FAIL', 'unknownResult', 'MONEY_NOT_ENOUGH', 'TRANSFER_MINIMUM'];

/** Where the money is after a transfer that failed: what leaves a game stays there unless the next game refuses it. */
const failure = (from: string, to: string) => {
  if (from === 'wallet') return 'error.TRANSFER_FAIL';
  return to === 'wallet' ? 'transfer.failedStays' : 'transfer.failedEither';
};

/** Sends one transfer at a time and remembers how it ended. */
function useSending(wasLeftUnanswered: boolean) {
  const { t } = useText();
  const [problem, setProblem] = useState<Problem | null>(
    wasLeftUnanswered ? { text: t('error.unknownResult') } : null,
  );
  const [isBusy, setBusy] = useState(false);
  const [receipt, setReceipt] = useState<TransferReceipt | AllReceipt | null>(null);
  const markSaved = useRefreshOnClose();
  const { currency } = useKnownWallet().wallet;
  /** What only this flow can say of a refusal. */
  const textOf = (error: unknown, from: string, to: string): string | null => {
    if (codeOf(error) === 'TRANSFER_FAIL') return t(failure(from, to));
    const min = codeOf(error) === 'TRANSFER_MINIMUM' && error instanceof ApiError ? error.data.min : null;
    return typeof min === 'number' ? t('transfer.atLeast', { min: sumText(t, min, currency) }) : null;
  };
  const run = async (from: string, to: string, work: () => Promise<TransferReceipt | AllReceipt>) => {
    setBusy(true);
    setProblem(null);
    try {
      const response = await work();
      markSaved();
      setReceipt(response);
    } catch (error) {
      const text = textOf(error, from, to);
      setProblem(text === null ? { error } : { text, error });
      // Part of it may have moved: what failed on its way to a game is back in the wallet. What a game holds is read
      // again before money leaves it: the figure that was refused may be old.
      if (STALE.includes(codeOf(error))) refreshWallet();
      refreshPlayStop(error);
    } finally {
      setBusy(false);
    }
  };
  return { run, problem, setProblem, isBusy, setBusy, receipt };
}

/** From the wallet into the game it was opened for, else the first; out of one that takes nothing in. */
function startingPair(accounts: Account[], opened: string | undefined): { from: string; to: string } {
  const isShut = accounts.find(({ code }) => code === opened)?.shut;
  if (opened && isShut) return { from: opened, to: 'wallet' };
  const games = accounts.filter(({ slot }) => slot !== null);
  const first = opened ?? games.find(({ shut }) => shut === null)?.code;
  if (first) return { from: 'wallet', to: first };
  const full = games.find(({ balance }) => balance > 0) ?? games[0];
  return { from: full?.code ?? '', to: 'wallet' };
}

/** The state of the transfer sheet and what it can send. An intent left unanswered by a reload is filled in again. */
export function useTransfer(opened: string | undefined, bars: Bars) {
  const { t } = useText();
  const wallet = useKnownWallet();
  const { currency } = wallet.wallet;
  const accounts = accountsOf(wallet, bars);
  const [pending] = useState(() => pendingBody<Body>('POST /api/wallet/transfer'));
  const [start] = useState(() => startingPair(accounts, opened));
  const [filled] = useState(() => pending ?? sheetFill());
  const [fromCode, setFrom] = useState(filled?.from ?? start.from);
  const [toCode, setTo] = useState(filled?.to ?? start.to);
  const [typed, setTyped] = useState(String(filled?.amount ?? ''));
  const { run, problem, setProblem, isBusy, setBusy, receipt } = useSending(
    pending !== null || pendingBody('POST /api/wallet/transferAll') !== null,
  );
  const from = accounts.find(({ code }) => code === fromCode);
  const to = accounts.find(({ code }) => code === toCode);
  const range = transferRange(wallet, from?.slot ?? null, to?.slot ?? null);
  const placesProblem = (): Problem | null => {
    const pair = pairProblem(fromCode, toCode);
    if (pair) return { field: 'accounts', text: t(pair) };
    return to?.shut ? { field: 'accounts', text: t(SHUT[to.shut]) } : null;
  };
  const amountProblem = (amount: number, { least, most }: AmountRange): Problem | null => {
    const wrong = rangeProblem(amount, { least, most });
    if (!wrong) return null;
    const text =
      wrong.side === 'low'
        ? t('transfer.atLeast', { min: sumText(t, least, currency) })
        : t('transfer.atMost', { max: sumText(t, most, currency) });
    return { field: 'amount', text };
  };
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
    to,
    range,
    setFrom: forget(setFrom),
    setTo: forget(setTo),
    setTyped: forget(setTyped),
    swap: () => {
      setProblem(null);
      setFrom(toCode);
      setTo(fromCode);
    },
    send: async (amount: number | null) => {
      if (isBusy) return;
      const places = placesProblem();
      if (places) return setProblem(places);
      setBusy(true);
      // A game may hold more than was last read.
      const isOver = from?.slot != null && (amount ?? 0) > range.most;
      const slots = isOver ? (await readFreshWallet(wallet)).slots : wallet.slots;
      const source = slots.find(({ code }) => code === from?.slot?.code) ?? null;
      const wrong = amountProblem(amount ?? 0, transferRange(wallet, source, to?.slot ?? null));
      if (wrong) {
        setBusy(false);
        return setProblem(wrong);
      }
      const body = { from: fromCode, to: toCode, amount: amount as number };
      return run(fromCode, toCode, () => sendMoney('POST /api/wallet/transfer', body));
    },
    sendAll: (to: string) => run('', to, () => sendMoney('POST /api/wallet/transferAll', { to })),
    sendGameHome: (from: string, amount: number) =>
      run(from, 'wallet', () => sendMoney('POST /api/wallet/transfer', { from, to: 'wallet', amount })),
    close: closeSheet,
  };
}

export type Transfer = ReturnType<typeof useTransfer>;

import type { MemberApi } from '@krapao/contract/member';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { type AmountRange, rangeProblem, transferRange } from '../../platform/member/amount-range.ts';
import { refreshPlayStop } from '../../platform/member/play-stop.tsx';
import { useRefreshOnClose } from '../../platform/member/refresh-on-close.ts';
import { transferFailure } from '../../platform/member/transfer-failure.ts';
import { readFreshWallet, refreshWallet, sendMoney, useKnownWallet } from '../../platform/member/wallet.ts';
import { closeSheet, pendingBody, sheetFill } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { useIsShown } from '../../platform/use-is-shown.ts';
import { type Account, accountsOf, type Bars, pairProblem } from './accounts.ts';

const ONE = 'POST /api/wallet/transfer';
const ALL = 'POST /api/wallet/transferAll';
type Receipt = MemberApi[typeof ONE]['reply'] | MemberApi[typeof ALL]['reply'];
type One = { from: string; to: string; amount: number };
type All = { to: string };

/** The transfer that was sent, perhaps before a reload, and has no response; null when there is none. */
const readUnanswered = (): One | All | null => pendingBody<One>(ONE) ?? pendingBody<All>(ALL);

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

/** Sends one transfer at a time and remembers how it ended. */
function useSending() {
  const { t } = useText();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [unanswered, setUnanswered] = useState(readUnanswered);
  const [isBusy, setBusy] = useState(false);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const markSaved = useRefreshOnClose();
  const { currency } = useKnownWallet().wallet;
  /** What only this flow can say of a refusal. */
  const textOf = (error: unknown, from: string, to: string): string | null => {
    if (codeOf(error) === 'TRANSFER_FAIL') return t(transferFailure(from, to));
    const min = codeOf(error) === 'TRANSFER_MINIMUM' && error instanceof ApiError ? error.data.min : null;
    return typeof min === 'number' ? t('transfer.atLeast', { min: sumText(t, min, currency) }) : null;
  };
  const run = async (order: One | All) => {
    setBusy(true);
    setProblem(null);
    const isOne = 'amount' in order;
    try {
      const response = await (isOne ? sendMoney(ONE, order) : sendMoney(ALL, order));
      markSaved();
      setReceipt(response);
    } catch (error) {
      setUnanswered(readUnanswered());
      const text = textOf(error, isOne ? order.from : '', order.to);
      if (codeOf(error) !== 'unknownResult') setProblem(text === null ? { error } : { text, error });
      // Part of it may have moved: what failed on its way to a game is back in the wallet. What a game holds is read
      // again before money leaves it: the figure that was refused may be old.
      if (STALE.includes(codeOf(error))) refreshWallet();
      refreshPlayStop(error);
    } finally {
      setBusy(false);
    }
  };
  return { run, problem, setProblem, isBusy, setBusy, receipt, unanswered };
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

/** What the form says of two places, and of an amount outside a range. */
function useProblemTexts() {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const placesProblem = (fromCode: string, toCode: string, to: Account | undefined): Problem | null => {
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
  return { placesProblem, amountProblem };
}

/** The state of the transfer sheet and what it can send. While a transfer has no response, `unanswered` has it. */
export function useTransfer(opened: string | undefined, bars: Bars) {
  const { placesProblem, amountProblem } = useProblemTexts();
  const wallet = useKnownWallet();
  const { currency } = wallet.wallet;
  const accounts = accountsOf(wallet, bars);
  const [start] = useState(() => startingPair(accounts, opened));
  const [filled] = useState(() => pendingBody<One>(ONE) ?? sheetFill());
  const [fromCode, setFrom] = useState(filled?.from ?? start.from);
  const [toCode, setTo] = useState(filled?.to ?? start.to);
  const [typed, setTyped] = useState(String(filled?.amount ?? ''));
  const { run, problem, setProblem, isBusy, setBusy, receipt, unanswered } = useSending();
  const isShown = useIsShown();
  const from = accounts.find(({ code }) => code === fromCode);
  const to = accounts.find(({ code }) => code === toCode);
  const range = transferRange(wallet, from?.slot ?? null, to?.slot ?? null);
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
    unanswered,
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
      const places = placesProblem(fromCode, toCode, to);
      if (places) return setProblem(places);
      setBusy(true);
      // A game may hold more than was last read.
      const isOver = from?.slot != null && (amount ?? 0) > range.most;
      const slots = isOver ? (await readFreshWallet(wallet)).slots : wallet.slots;
      // Nothing is sent from a form that was closed meanwhile.
      if (!isShown()) return;
      const source = slots.find(({ code }) => code === from?.slot?.code) ?? null;
      const wrong = amountProblem(amount ?? 0, transferRange(wallet, source, to?.slot ?? null));
      if (wrong) {
        setBusy(false);
        return setProblem(wrong);
      }
      return run({ from: fromCode, to: toCode, amount: amount as number });
    },
    sendAll: (to: string) => run({ to }),
    sendGameHome: (from: string, amount: number) => run({ from, to: 'wallet', amount }),
    /** Sends again what has no response, whatever the balances are by now. */
    repeat: () => unanswered && run(unanswered),
    close: closeSheet,
  };
}

export type Transfer = ReturnType<typeof useTransfer>;

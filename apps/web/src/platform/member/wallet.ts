import { codeOf } from '@krapao/ui/api/api-error.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import { type OnceOnlyCall, sendOnce } from '../once-only.ts';
import { readStored, writeStored } from '../storage.ts';
import { activeBonusQuery, queryClient, walletQuery } from './queries.ts';
import { type Slot, type WalletReply, withAmount, withGames, withSlot } from './wallet-merge.ts';

/** Changes the known wallet, if there is one. */
export function updateWallet(change: (known: WalletReply) => WalletReply): void {
  queryClient.setQueryData<WalletReply>(walletQuery.queryKey, (known) => (known ? change(known) : known));
}

/**
 * The cached wallet; loads it otherwise. The stored wallet of an earlier visit replaces a connection that
 * is missing, not for a refusal, such as that of a suspended member.
 */
export function useWallet() {
  const query = useQuery(walletQuery);
  const isStored = query.dataUpdatedAt < performance.timeOrigin;
  const isRefused = query.error !== null && codeOf(query.error) !== 'network';
  return isStored && isRefused ? { ...query, data: undefined } : query;
}

/** The wallet where a screen is only shown with one. Throws otherwise. */
export function useKnownWallet(): WalletReply {
  const { data } = useWallet();
  if (!data) throw new Error('this screen is shown after the wallet has been loaded');
  return data;
}

/**
 * Sends a money call and shows the balance of its response at once. The rest of the wallet, such as what a game now holds, is
 * read in the same moment, with or without a live event.
 */
export async function sendMoney<Name extends Extract<OnceOnlyCall, `POST /api/wallet/${string}`>>(
  ...[name, body]: Parameters<typeof sendOnce<Name>>
) {
  const receipt = await sendOnce(name, body);
  updateWallet((known) => withAmount(known, receipt.wallet.amount));
  refreshWallet();
  queryClient.invalidateQueries({ queryKey: ['statement'] });
  // Which bonuses can be received depends on where the money is.
  queryClient.invalidateQueries({ queryKey: ['bonus'] });
  return receipt;
}

/**
 * Reads everything about the wallet again, because something outside it moved. A query in flight began before
 * that and is sent again; with `mayJoin` it counts, where it is known to have begun after.
 */
export const refreshWallet = (mayJoin = false) =>
  queryClient.invalidateQueries({ queryKey: walletQuery.queryKey }, { cancelRefetch: !mayJoin });

/** Takes in how many coins there are now. */
export const takeCoins = (coin: number): void =>
  updateWallet((known) => ({ ...known, profile: { ...known.profile, coin } }));

/** Takes in one game as the server now has it. */
export const takeSlot = (slot: Slot): void => updateWallet((known) => withSlot(known, slot));

const walletVersion = () => queryClient.getQueryData(walletQuery.queryKey)?.wallet.version;

/** Reads the balances of the wallet and every opened game. */
export async function refreshBalances(): Promise<void> {
  const version = walletVersion();
  const [requested] = await Promise.all([api('GET /api/wallet/refresh/slot'), refreshWallet()]);
  // Where money moved meanwhile, a game may have been read before that: the server has the reading and what came after.
  if (version !== undefined && walletVersion() !== version) await refreshWallet();
  else updateWallet((known) => withGames(known, requested));
  // With the balances the server has read the bets of a bonus.
  queryClient.invalidateQueries({ queryKey: activeBonusQuery.queryKey });
  writeStored('last_sync', requested.lastSync);
}

/**
 * The wallet with game balances read now, for an amount that seems too high: winnings may not have been read yet. What was
 * known where that fails.
 */
export async function readFreshWallet(known: WalletReply): Promise<WalletReply> {
  await refreshBalances().catch(() => undefined);
  return queryClient.getQueryData(walletQuery.queryKey) ?? known;
}

const STALE_MS = 60_000;

/** Whether a game is open and the games have not been read for a minute. */
const areGamesOld = ({ slots }: WalletReply): boolean =>
  slots.some(({ isActive }) => isActive) &&
  !(Date.now() - Date.parse(readStored('last_sync') ?? '') < STALE_MS);

/**
 * Reads games whose balance is older than a minute when the screen opens, so that the screen offers what is available. A
 * failure leaves what was known.
 */
export function useFreshGames(onFail: (error: unknown) => void = () => undefined) {
  const wallet = useKnownWallet();
  const [isWanted] = useState(() => navigator.onLine && areGamesOld(wallet));
  const refreshing = useRefresh(onFail);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    if (isWanted) refreshing.refresh();
  }, []);
  return refreshing;
}

/** A refresh with its state; failures are thrown to the caller. */
export function useRefresh(onFail: (error: unknown) => void) {
  const [isRefreshing, setRefreshing] = useState(false);
  const refresh = async () => {
    setRefreshing(true);
    try {
      await refreshBalances();
    } catch (error) {
      onFail(error);
    } finally {
      setRefreshing(false);
    }
  };
  return { isRefreshing, refresh };
}

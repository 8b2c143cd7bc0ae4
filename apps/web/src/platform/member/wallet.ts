import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { type OnceOnlyCall, sendOnce } from '../once-only.ts';
import { writeStored } from '../storage.ts';
import { queryClient, takeAnswer, walletQuery } from './queries.ts';
import { type Slot, type WalletReply, withAmount, withGames, withSlot } from './wallet-merge.ts';

/** Changes the known wallet, if there is one. */
export function updateWallet(change: (known: WalletReply) => WalletReply): void {
  queryClient.setQueryData<WalletReply>(walletQuery.queryKey, (known) => (known ? change(known) : known));
}

/** The wallet as known; loads it when it is not. */
export const useWallet = () => useQuery(walletQuery);

/** The wallet where a screen is only shown with one. Throws otherwise. */
export function useKnownWallet(): WalletReply {
  const { data } = useWallet();
  if (!data) throw new Error('this screen is shown after the wallet has been loaded');
  return data;
}

/** Sends a money call and shows the balance it answers, without asking again. */
export async function sendMoney<Name extends Extract<OnceOnlyCall, `POST /api/wallet/${string}`>>(
  ...[name, body]: Parameters<typeof sendOnce<Name>>
) {
  const receipt = await sendOnce(name, body);
  takeAnswer(walletQuery.queryKey, (known) => known && withAmount(known, receipt.wallet.amount));
  queryClient.invalidateQueries({ queryKey: ['statement'] });
  return receipt;
}

/** Asks everything about the wallet again, because something outside it moved. */
export const refreshWallet = () => queryClient.invalidateQueries({ queryKey: walletQuery.queryKey });

/** Takes in one game as the server now has it. */
export const takeSlot = (slot: Slot): void => updateWallet((known) => withSlot(known, slot));

/** Asks the wallet and every opened game for their balances. */
export async function refreshBalances(): Promise<void> {
  const [asked] = await Promise.all([api('GET /api/wallet/refresh/slot'), refreshWallet()]);
  updateWallet((known) => withGames(known, asked));
  writeStored('last_sync', asked.lastSync);
}

/** A refresh with its state; failures are told to the caller. */
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

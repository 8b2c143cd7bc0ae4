import { slotWorth, type WalletReply } from '../../platform/member/wallet-merge.ts';

/** A place money can be moved from or to. */
export interface Account {
  code: string;
  /** Empty for the wallet, whose name depends on the language. */
  name: string;
  /** In the wallet's currency. */
  balance: number;
  picture: string;
  /** Wallet currency per credit; null for the wallet. */
  rate: number | null;
  /** Under maintenance: money comes out and none goes in. */
  isShut: boolean;
}

/** The wallet first, then every opened game. */
export function accountsOf({ wallet, slots }: WalletReply): Account[] {
  const games = slots.filter(({ isActive }) => isActive);
  return [
    { code: 'wallet', name: '', balance: wallet.amount, picture: '', rate: null, isShut: false },
    ...games.map((slot) => ({
      code: slot.code,
      name: slot.name,
      balance: slotWorth(slot, wallet.currency),
      picture: slot.background,
      rate: slot.ftWalletSlot,
      isShut: slot.isInMaintenance,
    })),
  ];
}

/**
 * What stops a transfer, as the id of its text; null when nothing does. Less than 1 is only taken where it is all that a
 * game holds, `whole`, and goes to the wallet. The server decides again.
 */
export function transferProblem(
  from: string,
  to: string,
  amount: number | null,
  whole?: number,
): 'transfer.chooseBoth' | 'transfer.same' | 'transfer.atLeast' | null {
  if (!from || !to) return 'transfer.chooseBoth';
  if (from === to) return 'transfer.same';
  const isWhole = from !== 'wallet' && to === 'wallet' && amount === whole;
  return amount === null || (amount < 1 && !isWhole) ? 'transfer.atLeast' : null;
}

/** Credits that an amount buys, cut to two decimals as shown. */
export const creditsFor = (amount: number, rate: number): number =>
  Math.floor((amount / rate) * 100 + 1e-6) / 100;

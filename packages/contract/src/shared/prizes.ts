export const PRIZE_KINDS = ['CASH', 'BONUS', 'COIN', 'ITEM'] as const;
export type PrizeKind = (typeof PRIZE_KINDS)[number];

/** How a kind of prize behaves. */
export interface PrizeBehaviour {
  /** The unit of its value: money of its currency, or coins. */
  unit: 'money' | 'coins';
  /** Where redeeming it leads: money into the wallet, coins, or an item that an operator delivers. */
  redeemedTo: 'wallet' | 'coins' | 'delivery';
  /** Whether it starts a bonus run with terms. */
  hasTerms: boolean;
}

export const PRIZES: Readonly<Record<PrizeKind, PrizeBehaviour>> = {
  CASH: { unit: 'money', redeemedTo: 'wallet', hasTerms: false },
  BONUS: { unit: 'money', redeemedTo: 'wallet', hasTerms: true },
  COIN: { unit: 'coins', redeemedTo: 'coins', hasTerms: false },
  ITEM: { unit: 'money', redeemedTo: 'delivery', hasTerms: false },
};

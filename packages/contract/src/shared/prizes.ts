export const PRIZE_KINDS = ['CASH', 'BONUS', 'COIN', 'ITEM'] as const;
export type PrizeKind = (typeof PRIZE_KINDS)[number];

/** How a kind of prize behaves. */
export interface PrizeBehaviour {
  /** What its value counts: money of its currency, or coins. */
  unit: 'money' | 'coins';
  /** What claiming it does: pays into the wallet, adds coins, or waits for an operator to deliver it. */
  claim: 'wallet' | 'coins' | 'delivery';
  /** Whether it starts a bonus run with terms. */
  hasTerms: boolean;
}

export const PRIZES: Readonly<Record<PrizeKind, PrizeBehaviour>> = {
  CASH: { unit: 'money', claim: 'wallet', hasTerms: false },
  BONUS: { unit: 'money', claim: 'wallet', hasTerms: true },
  COIN: { unit: 'coins', claim: 'coins', hasTerms: false },
  ITEM: { unit: 'money', claim: 'delivery', hasTerms: false },
};

/**
 * Three reels of twelve stops each. Three of a kind pays by symbol, exactly two nagas or lanterns pay a little; the
 * return to the player follows exactly from the table.
 */
export const SYMBOLS = ['rice', 'lotus', 'balls', 'lantern', 'naga'] as const;
export type ReelSymbol = (typeof SYMBOLS)[number];

/** How many of a reel's twelve stops show each symbol. */
export const STOPS: Record<ReelSymbol, number> = { rice: 4, lotus: 3, balls: 2, lantern: 2, naga: 1 };

/** What three of a kind pays, as a multiple of the stake. */
export const THREE_PAYS: Record<ReelSymbol, number> = {
  rice: 3,
  lotus: 8,
  balls: 20,
  lantern: 25,
  naga: 250,
};

/** What exactly two of a kind pays. */
export const TWO_PAYS: Partial<Record<ReelSymbol, number>> = { lantern: 2, naga: 10 };

/** One reel, stop by stop. */
export const STRIP: readonly ReelSymbol[] = SYMBOLS.flatMap((symbol) =>
  Array.from({ length: STOPS[symbol] }, () => symbol),
);

/** The multiple of the stake that three symbols pay, 0 for none. */
export function reelsPay(shown: readonly ReelSymbol[]): number {
  for (const symbol of SYMBOLS) {
    const count = shown.filter((other) => other === symbol).length;
    if (count === 3) return THREE_PAYS[symbol];
    if (count === 2 && TWO_PAYS[symbol]) return TWO_PAYS[symbol];
  }
  return 0;
}

/** Every equally likely stop combination. */
export function* allSpins(): Generator<[ReelSymbol, ReelSymbol, ReelSymbol]> {
  for (const first of STRIP)
    for (const second of STRIP) for (const third of STRIP) yield [first, second, third];
}

/** Ways out of 1,728 to get a line of the pay table. */
export const waysOf = (symbol: ReelSymbol, count: 2 | 3): number =>
  count === 3 ? STOPS[symbol] ** 3 : 3 * STOPS[symbol] ** 2 * (STRIP.length - STOPS[symbol]);

/** Paid back over all combinations, as a share of what was staked. */
export function reelsReturn(): number {
  let paid = 0;
  let spins = 0;
  for (const spin of allSpins()) {
    paid += reelsPay(spin);
    spins++;
  }
  return paid / spins;
}

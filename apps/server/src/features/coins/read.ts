/** The interface of coins for the wheel. */
export { type CoinDeps, reckonCoins } from './coins.ts';
export { commandLineGrantItem } from './ledger.ts';
export { owesBets } from './unplayed.ts';

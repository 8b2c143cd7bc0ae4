/** What the wheel asks of coins. */
export { type CoinDeps, reckonCoins } from './coins.ts';
export { commandLineGrantItem } from './ledger.ts';

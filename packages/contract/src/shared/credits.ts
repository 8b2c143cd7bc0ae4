import { CURRENCY_DECIMALS, type Currency } from './money.ts';

/** Hundredths of a credit at millionths of wallet currency per credit, in whole wallet currency. */
const PARTS = 100_000_000n;

/**
 * What credits are worth in minor units, rounded down: so much comes out of a game, and no more is shown or offered.
 * Credits are hundredths; a rate is millionths of wallet currency per credit.
 */
export const valueDown = (credits: bigint, rateMicro: bigint, currency: Currency): bigint =>
  (credits * rateMicro * 10n ** BigInt(CURRENCY_DECIMALS[currency])) / PARTS;

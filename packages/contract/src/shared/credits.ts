import { CURRENCY_DECIMALS, type Currency } from './money.ts';

/** Credits are hundredths; a rate is millionths of wallet currency per credit. */
const MICRO = 1_000_000n;
const HUNDREDTHS = 100n;

const scaleOf = (currency: Currency): bigint => 10n ** BigInt(CURRENCY_DECIMALS[currency]);

/**
 * What credits are worth in minor units, rounded down: so much comes out of a game, and no more is shown or offered.
 * Credits are hundredths; a rate is millionths of wallet currency per credit.
 */
export const valueDown = (credits: bigint, rateMicro: bigint, currency: Currency): bigint =>
  (credits * rateMicro * scaleOf(currency)) / (MICRO * HUNDREDTHS);

/** Whether a hundredth of a credit may be worth parts of a minor unit, so that sums round. */
export const hasParts = (rateMicro: bigint, currency: Currency): boolean =>
  (rateMicro * scaleOf(currency)) % (MICRO * HUNDREDTHS) !== 0n;

/** Returns the cost of credits in minor units, rounded up, so that moving in and out never gains. */
export function costUp(credits: bigint, rateMicro: bigint, currency: Currency): bigint {
  const part = MICRO * HUNDREDTHS;
  return (credits * rateMicro * scaleOf(currency) + part - 1n) / part;
}

/** Credits an amount buys, rounded down to what the provider takes. */
export function creditsFor(
  amountMinor: bigint,
  rateMicro: bigint,
  currency: Currency,
  creditDecimals: number,
): bigint {
  const credits = (amountMinor * MICRO * HUNDREDTHS) / (rateMicro * scaleOf(currency));
  return roundToProvider(credits, creditDecimals);
}

/** The fewest credits worth at least an amount; may be more than there are. */
export function creditsCovering(
  amountMinor: bigint,
  rateMicro: bigint,
  currency: Currency,
  creditDecimals: number,
): bigint {
  const per = rateMicro * scaleOf(currency);
  const credits = (amountMinor * MICRO * HUNDREDTHS + per - 1n) / per;
  const step = 10n ** BigInt(2 - creditDecimals);
  return ((credits + step - 1n) / step) * step;
}

/** Hundredths rounded down to the smallest part the provider takes. */
export function roundToProvider(credits: bigint, creditDecimals: number): bigint {
  const step = 10n ** BigInt(2 - creditDecimals);
  return (credits / step) * step;
}

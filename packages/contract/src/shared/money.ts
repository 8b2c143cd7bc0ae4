/**
 * Money on the wire is a JSON number in the member's currency; inside it is whole minor units as bigint.
 * This file is the only door between the two.
 */
export const CURRENCIES = ['BAHT', 'LAK'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Decimals on the wire and in the minor unit: satang for baht, whole kip for LAK. */
export const CURRENCY_DECIMALS: Record<Currency, number> = { BAHT: 2, LAK: 0 };

/** Largest amount any call accepts, in minor units; keeps every sum a safe integer. */
export const AMOUNT_MINOR_MAX = 10_000_000_000_000n;

/**
 * Wire number to minor units. Returns null for anything that is not a positive finite number with at most the
 * currency's decimals and within AMOUNT_MINOR_MAX; the caller chooses the code.
 */
export function toMinor(amount: unknown, currency: Currency): bigint | null {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) return null;
  return decimalToMinor(String(amount), CURRENCY_DECIMALS[currency]);
}

/** Decimal text such as "500.00" (as banks send it) to minor units, or null when it is not one. */
export function decimalToMinor(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const fraction = match[2] ?? '';
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return null;
  const minor = BigInt(match[1]! + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return minor <= AMOUNT_MINOR_MAX ? minor : null;
}

/** Converts minor units to the wire number. Exact below 2^53 minor units. */
export function fromMinor(minor: bigint, currency: Currency): number {
  return Number(minor) / 10 ** CURRENCY_DECIMALS[currency];
}

/** Minor units to fixed decimal text, as partners expect it: 50000n, 2 → "500.00". */
export function minorToDecimal(minor: bigint, decimals: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

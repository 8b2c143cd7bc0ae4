import type { Currency } from '@krapao/contract/shared';

type Tied = { currency?: Currency } & Record<string, unknown>;

/** Hundredths of a wire number, signed, so that sums of many figures stay exact. */
const hundredths = (amount: number): bigint => BigInt(Math.round(amount * 100));

/** Whether a figure of the rows, summed in one currency, equals the ledger's; days may well be below zero. */
export function isTied(
  rows: readonly object[],
  figure: string,
  ledger: { currency: Currency; amount: number },
): boolean {
  const sum = (rows as readonly Tied[])
    .filter((row) => row.currency === ledger.currency)
    .reduce((total, row) => total + hundredths(Number(row[figure] ?? 0)), 0n);
  return sum === hundredths(ledger.amount);
}

/** Amounts of the control API to minor units. */
import { decimalToMinor } from '@krapao/contract/shared';

/** Decimal text or a number to minor units; undefined stays undefined, null is not an amount. */
export function minorOf(amount: string | number | undefined): bigint | undefined | null {
  return amount === undefined ? undefined : decimalToMinor(String(amount), 2);
}

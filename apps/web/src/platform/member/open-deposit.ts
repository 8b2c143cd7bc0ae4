import { openSheet } from '../sheet-state.ts';

/** Opens the deposit sheet, filled in with a sum where one is needed. */
export const openDeposit = (sum?: number): void =>
  openSheet('deposit', undefined, sum === undefined ? undefined : { amount: sum });

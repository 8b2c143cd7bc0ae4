/** Statements and balances that are wrong on purpose, so that reconciling has something to find. */

import { changed, type Environment } from './environment.ts';
import type { Party, State } from './state.ts';

const keyOf = (party: Party, reference: string): string => `${party}:${reference}`;

/** What a party prints under a reference: its true amount, a false one, or null when it leaves the line out. */
export function printed(
  environment: { state: State },
  party: Party,
  reference: string,
  trueMinor: bigint,
): bigint | null {
  const misprint = environment.state.misprints.get(keyOf(party, reference));
  return misprint === undefined ? trueMinor : misprint;
}

/** From now on a line shows this amount, or is left out with null; undefined shows the truth again. */
export function misprint(
  environment: Environment,
  party: Party,
  reference: string,
  amountMinor: bigint | null | undefined,
): void {
  if (amountMinor === undefined) environment.state.misprints.delete(keyOf(party, reference));
  else environment.state.misprints.set(keyOf(party, reference), amountMinor);
  changed(environment);
}

/** The page after a cursor, which counts what came before it. */
export function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  size: number,
): { page: T[]; next: string | null } {
  const start = /^\d{1,9}$/.test(cursor ?? '') ? Number(cursor) : 0;
  const end = start + size;
  return { page: all.slice(start, end), next: end < all.length ? String(end) : null };
}

import { HOUR_MS } from '@krapao/contract/durations';
import type { Clock } from '../clock.ts';
import type { Limits } from '../limits.ts';
import type { Operator } from '../operators.ts';
import { Refusal } from '../refusal.ts';

/** How often an hour an operator may search for a number; the console searches at each pause in typing. */
export const NUMBER_SEARCHES_HOUR_MAX = 300;

/** As few digits find a phone or an account. */
const DIGITS_LEAST = 4;

/** Digits of any script, however they are separated: phones are found as people write them. */
const isNumber = (text: string): boolean => (text.match(/\p{Nd}/gu)?.length ?? 0) >= DIGITS_LEAST;

/**
 * Counts searches for a number by an operator who sees phones and accounts masked only, because a search that finds a
 * member confirms the number: trying all hidden digits would uncover it without the audit row of uncovering. Throws
 * REQUEST_LIMIT above the limit.
 */
export async function limitNumberSearches(
  { limits, clock }: { limits: Limits; clock: Clock },
  operator: Operator,
  query: unknown,
): Promise<void> {
  const { q } = (query ?? {}) as { q?: unknown };
  if (typeof q !== 'string' || !isNumber(q) || operator.permissions.has('member.reveal')) return;
  const window = { key: `number-search:${operator.id}`, max: NUMBER_SEARCHES_HOUR_MAX, ms: HOUR_MS };
  if (!(await limits.fits(window, clock.now()))) throw new Refusal('REQUEST_LIMIT');
}

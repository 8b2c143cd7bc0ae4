import { HOUR_MS } from '@krapao/contract/durations';
import type { Clock } from '../clock.ts';
import { type Limits, requireWithinLimit, windowIsFull } from '../limits.ts';
import type { Operator } from '../operators.ts';

/** How often an hour an operator may search for a number; the console searches at each pause in typing. */
export const NUMBER_SEARCHES_HOUR_MAX = 300;

/** As few digits find a phone or an account. */
const DIGITS_LEAST = 4;

/** Digits of any script, however they are separated: phones are found as people write them. */
const isNumber = (text: string): boolean => (text.match(/\p{Nd}/gu)?.length ?? 0) >= DIGITS_LEAST;

const windowOf = (operator: Operator) => ({
  key: `number-search:${operator.id}`,
  max: NUMBER_SEARCHES_HOUR_MAX,
  ms: HOUR_MS,
});

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
  await requireWithinLimit(limits, windowOf(operator), clock.now());
}

/**
 * Counts the numbers of a list that found no member as that many searches by such an operator: lists of members hold few
 * of them, tried digits hardly anything else. Throws REQUEST_LIMIT above the limit; what was refused stays counted,
 * because that a list did not fit says how many members it found.
 */
export async function limitNumbersNotFound(
  { limits, clock }: { limits: Limits; clock: Clock },
  operator: Operator,
  texts: readonly string[],
): Promise<void> {
  const count = texts.filter(isNumber).length;
  if (count === 0 || operator.permissions.has('member.reveal')) return;
  const window = windowOf(operator);
  if ((await limits.count(window, clock.now(), count)) > window.max)
    throw await windowIsFull(limits, window.key, clock.now());
}

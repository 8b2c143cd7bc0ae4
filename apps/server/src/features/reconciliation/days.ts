import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import type { Span } from '../../outside/index.ts';

/** A day in Bangkok as UTC times, half-open; null for a day the calendar does not have. */
export function spanOf(day: string): Span | null {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null;
  const from = new Date(midnight.getTime() - BANGKOK_OFFSET_MS);
  return { from, to: new Date(from.getTime() + DAY_MS) };
}

/** The day in Bangkok at a time, as YYYY-MM-DD. */
export const dayAt = (at: Date): string =>
  new Date(at.getTime() + BANGKOK_OFFSET_MS).toISOString().slice(0, 10);

/** So many days later, or earlier below 0. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The earliest of any number of times, or `other` where that is earlier. */
export const earliest = (times: readonly Date[], other: Date): Date =>
  times.reduce((least, time) => (time < least ? time : least), other);

import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';

/**
 * ISO 8601 of a moment in Bangkok's time, which has no daylight saving. Dates are written in the Gregorian calendar and in
 * this time in all three languages. Making an Intl.DateTimeFormat takes a phone a tenth of a second.
 */
const inBangkok = (when: string | number | Date): string =>
  new Date(new Date(when).getTime() + BANGKOK_OFFSET_MS).toISOString();

/** DD/MM/YYYY. */
export function dateText(when: string | number | Date): string {
  const [year, month, day] = inBangkok(when).slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}

/** HH:mm:ss. */
export const timeText = (when: string | number | Date): string => inBangkok(when).slice(11, 19);

/** DD/MM/YYYY HH:mm:ss. */
export const dateTimeText = (when: string | number | Date): string => `${dateText(when)} ${timeText(when)}`;

/** Seconds left as mm:ss; below zero counts as zero. */
export function countdownText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`;
}

/** Units of time-ago from the largest, in seconds: a year is 365 days, a month 30. */
const AGO_UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export type AgoUnit = (typeof AGO_UNITS)[number][0];

/** How long ago in the largest unit that fits once; null for less than a second or a time ahead. */
export function timeAgo(when: string | number | Date, now: number): { unit: AgoUnit; count: number } | null {
  const seconds = Math.floor((now - new Date(when).getTime()) / 1000);
  for (const [unit, size] of AGO_UNITS) {
    if (seconds >= size) return { unit, count: Math.floor(seconds / size) };
  }
  return null;
}

/** Whether a moment lies today or yesterday in Bangkok. */
export function dayLabel(when: string | number | Date, now: number): 'today' | 'yesterday' | null {
  const day = dateText(when);
  if (day === dateText(now)) return 'today';
  return day === dateText(now - DAY_MS) ? 'yesterday' : null;
}

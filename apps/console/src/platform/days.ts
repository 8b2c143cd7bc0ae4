import { DAY_MS } from '@krapao/contract/durations';

/** Thai calendars count 543 years more; nobody means the year 2400 of the common era. */
const BUDDHIST = { from: 2_400, ahead: 543 };

/** A day as it is typed, DD/MM/YYYY, as the address keeps it, YYYY-MM-DD; null for what is no day. */
export function dayOf(typed: string): string | null {
  const match = /^\s*(\d{1,2})[\s/.-]?(\d{2}|(?<=[\s/.-])\d)[\s/.-]?(\d{4})\s*$/.exec(typed);
  if (!match) return null;
  const [day, month, written] = match.slice(1).map(Number) as [number, number, number];
  const year = written > BUDDHIST.from ? written - BUDDHIST.ahead : written;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) return null;
  return date.toISOString().slice(0, 10);
}

/** A day of the address as everybody reads it, DD/MM/YYYY; nothing for what is no day. */
export const dayText = (day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').toReversed().join('/') : '';

const isDay = (day: string): boolean => dayText(day) !== '' && !Number.isNaN(Date.parse(day));

/** Two days, both included, as the half-open times of Bangkok that lists are asked with. */
export function timesOfDays(from: string, to: string): { from?: string; to?: string } {
  return {
    ...(isDay(from) ? { from: `${from}T00:00:00+07:00` } : {}),
    ...(isDay(to)
      ? { to: `${new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10)}T00:00:00+07:00` }
      : {}),
  };
}

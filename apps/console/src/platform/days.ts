import { DAY_MS } from '@krapao/contract/durations';
import { dayText } from '@krapao/ui/text/day-text.ts';

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

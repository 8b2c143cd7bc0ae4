import { DAY_MS } from '@krapao/contract/durations';
import { dayOf, dayText } from '@krapao/ui/text/day-text.ts';

const isDay = (day: string): boolean => dayText(day) !== '' && !Number.isNaN(Date.parse(day));
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})$/;
const TYPED_TIME = /^(.*\S)\s+([01]?\d|2[0-3])[:.]([0-5]\d)$/;

/** A day or a minute of Bangkok in the address, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`, as it is read. */
export function momentText(moment: string): string {
  const [, day, time] = MOMENT.exec(moment) ?? [];
  return day && time ? `${dayText(day)} ${time}` : dayText(moment);
}

/** What was typed, `DD/MM/YYYY` or `DD/MM/YYYY HH:MM`, as the address keeps it; null for what is neither. */
export function momentOf(typed: string): string | null {
  const [, before, hours, minutes] = TYPED_TIME.exec(typed.trim()) ?? [];
  const day = dayOf(before ?? typed);
  return day && hours ? `${day}T${hours.padStart(2, '0')}:${minutes}` : day;
}

/** The first moment of a day or minute in Bangkok; null for what is neither. */
function startOf(moment: string): string | null {
  const [, day = '', time] = MOMENT.exec(moment) ?? [];
  if (time) return isDay(day) ? `${day}T${time}:00+07:00` : null;
  return isDay(moment) ? `${moment}T00:00:00+07:00` : null;
}

/**
 * Two days or minutes of the address as the half-open times of Bangkok of list queries. A last day is
 * included; a last minute is where the range ends.
 */
export function timesOfDays(from: string, to: string): { from?: string; to?: string } {
  const start = startOf(from);
  const end = startOf(isDay(to) ? new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10) : to);
  return { ...(start && { from: start }), ...(end && { to: end }) };
}

/** Thai calendars count 543 years more; no text means the year 2400 of the common era. */
const BUDDHIST = { from: 2_400, ahead: 543 };

const isoOf = (date: Date): string => date.toISOString().slice(0, 10);
const utcOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** A day as it is typed, DD/MM/YYYY, as calls and addresses have it, YYYY-MM-DD; null for what is no day. */
export function dayOf(typed: string): string | null {
  const match = /^\s*(\d{1,2})[\s/.-]?(\d{2}|(?<=[\s/.-])\d)[\s/.-]?(\d{4})\s*$/.exec(typed);
  if (!match) return null;
  const [day, month, written] = match.slice(1).map(Number) as [number, number, number];
  const year = written > BUDDHIST.from ? written - BUDDHIST.ahead : written;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) return null;
  return isoOf(date);
}

/** A day, YYYY-MM-DD, as everybody reads it, DD/MM/YYYY; nothing for what is no day. */
export const dayText = (day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').toReversed().join('/') : '';

/** What is being typed with its slashes put in, so that a keypad of digits is enough. */
export function withSlashes(typed: string): string {
  if (!/^\d{2}\/?\d{0,2}\/?\d{0,4}$/.test(typed)) return typed;
  const digits = typed.replaceAll('/', '');
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter((part) => part !== '').join('/');
}

/** The day so many days later. */
export function daysLater(day: string, count: number): string {
  const date = utcOf(day);
  date.setUTCDate(date.getUTCDate() + count);
  return isoOf(date);
}

/** The same day so many months later, or the month's last where it has no such day. */
export function monthsLater(day: string, count: number): string {
  const date = utcOf(day);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return isoOf(date);
}

/** The weeks of a day's month, Sunday first; null where a week belongs to another month. */
export function weeksOf(day: string): (string | null)[][] {
  const month = day.slice(0, 7);
  const first = `${month}-01`;
  const weeks: (string | null)[][] = [];
  for (
    let start = daysLater(first, -utcOf(first).getUTCDay());
    start.slice(0, 7) <= month;
    start = daysLater(start, 7)
  )
    weeks.push(
      Array.from({ length: 7 }, (_, index) => {
        const one = daysLater(start, index);
        return one.startsWith(month) ? one : null;
      }),
    );
  return weeks;
}

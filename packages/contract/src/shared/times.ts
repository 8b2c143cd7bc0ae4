/** Days and times as they are written in calls: the calendar decides, not what a parser makes of them. */

const DAY = /^[1-9]\d{3}-\d\d-\d\d$/;
/** A date, or a date and time with a time zone (RFC 3339 §5.6). */
const MOMENT = /^([1-9]\d{3}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Whether a text is a day of the calendar, written YYYY-MM-DD, from the year 1000 on. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** Whether a text is a day (its first moment in UTC) or a date and time with a time zone, of the years 1000 to 9999. */
export function isMoment(text: string): boolean {
  const day = MOMENT.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return false;
  const year = new Date(text).getUTCFullYear();
  return year >= 1000 && year <= 9999;
}

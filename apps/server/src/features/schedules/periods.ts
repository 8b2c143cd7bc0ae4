import { HOUR_MS } from '@krapao/contract/durations';
import type { ReportPeriod } from '@krapao/contract/operator';
import { addDays, dayAt, spanOf } from '../reconciliation/read.ts';

/** Reports leave at this hour of Bangkok, when the books of the day before are complete. */
const HOUR = 6;

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
/** Monday is 1. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The day of its kind that a day belongs to: itself, its Monday, or the first of its month. */
const startOf: Record<ReportPeriod, (day: string) => string> = {
  DAY: (day) => day,
  WEEK: (day) => addDays(day, 1 - weekday(day)),
  MONTH: firstOfMonth,
};

const nextStart: Record<ReportPeriod, (day: string) => string> = {
  DAY: (day) => addDays(day, 1),
  WEEK: (day) => addDays(startOf.WEEK(day), 7),
  MONTH: (day) => firstOfMonth(addDays(firstOfMonth(day), 31)),
};

const sixOClock = (day: string): Date => new Date(spanOf(day)!.from.getTime() + HOUR * HOUR_MS);

/** Returns when a report is next sent after a moment. */
export function nextDue(period: ReportPeriod, after: Date): Date {
  const today = dayAt(after);
  const start = startOf[period](today);
  const due = sixOClock(start);
  return due > after ? due : sixOClock(nextStart[period](today));
}

/** Returns the days, both included, that a report sent at a moment covers: the last whole period before it. */
export function coveredDays(period: ReportPeriod, sentAt: Date): { from: string; to: string } {
  const end = startOf[period](dayAt(sentAt));
  const to = addDays(end, -1);
  return { from: startOf[period](to), to };
}

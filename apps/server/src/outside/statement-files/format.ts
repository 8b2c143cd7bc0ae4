import { BANGKOK_OFFSET_MS, DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { decimalToMinor } from '@krapao/contract/shared';
import { NO_REFERENCE, type StatementLine } from '../statement.ts';

/** The formats of statement files. */
export type StatementFormat = 'csv' | 'mt940' | 'camt.053';

/** How many movements and bytes a file may have. */
export const FILE_LINES_MAX = 50_000;
export const FILE_MEGABYTES_MAX = 10;

/** One movement of a file, with the day the bank booked it. */
export interface FileLine extends StatementLine {
  /** In Bangkok, YYYY-MM-DD. */
  day: string;
}

/** A time in ms since 1970 and the one it ends before. */
export interface Period {
  from: number;
  to: number;
}

/** The statement of one account, as a file has it. */
export interface FileStatement {
  /** As the file names it; null: the file names none. */
  account: string | null;
  /** ISO 4217; null: the file names none. */
  currency: string | null;
  /** What it covers; null: it has no movement and names no days. */
  period: Period | null;
  /** In minor units; null: the file has not both. */
  balances: { openingMinor: bigint; closingMinor: bigint } | null;
  lines: FileLine[];
}

/** Thrown for a file that is not of its format; `line` is the first line that does not fit, counted from 1. */
export class UnreadableStatement extends Error {
  readonly line: number;
  constructor(line: number, note: string) {
    super(note);
    this.line = line;
  }
}

/** Thrown for a file with more than FILE_LINES_MAX movements. */
export class TooManyLines extends Error {}

/** What a bank writes where it has no reference. */
const NONE = /^(|NONREF|NOTPROVIDED)$/i;
export const referenceOf = (text: string): string =>
  NONE.test(text.trim()) ? NO_REFERENCE : text.trim().slice(0, 100);

/** Returns the minor units of a decimal text with a point and no sign; null where it is none or has a finer part. */
export const minorOf = (text: string, decimals: number): bigint | null =>
  decimalToMinor(text.replace(/\.$/, ''), decimals);

/** Returns YYYY-MM-DD, also for a year of the Buddhist era; null for a day that the calendar does not have. */
export function dayOf(year: number, month: number, day: number): string | null {
  const common = year > 2400 ? year - 543 : year;
  const text = `${String(common).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && common >= 2000 ? text : null;
}

/** The times of a movement: the second it names in Bangkok, or the whole day. */
export function timesOfDay(day: string, time: string | null): { at: Date; until?: Date } | null {
  const midnight = Date.parse(`${day}T00:00:00.000Z`) - BANGKOK_OFFSET_MS;
  if (time === null) return { at: new Date(midnight), until: new Date(midnight + DAY_MS - 1) };
  const match = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (!match) return null;
  const [, hours, minutes, seconds = '0'] = match;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const at = new Date(midnight + ms);
  // Banks that print minutes cut the seconds off.
  return match[3] === undefined ? { at, until: new Date(at.getTime() + 59_999) } : { at };
}

/** The moment at which a day begins in Bangkok. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) - BANGKOK_OFFSET_MS;
const dayAt = (moment: number): string => new Date(moment + BANGKOK_OFFSET_MS).toISOString().slice(0, 10);
/** How many ms of its day in Bangkok are over at a moment. */
export const pastMidnight = (moment: number): number =>
  (((moment + BANGKOK_OFFSET_MS) % DAY_MS) + DAY_MS) % DAY_MS;

/** The end that a bank writes: its last minute or second is that of the day. */
export function endOf(moment: number): number {
  const past = pastMidnight(moment);
  return DAY_MS - past <= MINUTE_MS ? moment - past + DAY_MS : moment;
}

/** The period from the first to the last of some days, both included; null without days. */
export function periodOf(days: readonly string[]): Period | null {
  const starts = days.map(startOfDay);
  return starts.length > 0 ? { from: Math.min(...starts), to: Math.max(...starts) + DAY_MS } : null;
}

/**
 * The last day that balances lead to, and the first: the day after that of the opening balance, which is that of the
 * statement before. Where it is the statement's own first day, entries of that day widen the period.
 */
export function daysAfter(openingDay: string | null, closingDay: string): string[] {
  const next = openingDay === null ? closingDay : dayAt(startOfDay(openingDay) + DAY_MS);
  return next < closingDay ? [next, closingDay] : [closingDay];
}

/** A period and the days of movements that lie outside of it. A day that it covers in part is not added. */
export function withDays(period: Period, days: readonly string[]): Period {
  const outside = days.map(startOfDay).filter((day) => day + DAY_MS <= period.from || day >= period.to);
  return outside.reduce(
    ({ from, to }, day) => ({ from: Math.min(from, day), to: Math.max(to, day + DAY_MS) }),
    period,
  );
}

/** The first and last day of Bangkok that a period covers as a whole, to the minute; null when there is none. */
export function wholeDays({ from, to }: Period): { from: string; to: string } | null {
  const past = pastMidnight(from);
  const first = past <= MINUTE_MS ? from - past : from - past + DAY_MS;
  const end = to - pastMidnight(to);
  return first < end ? { from: dayAt(first), to: dayAt(end - DAY_MS) } : null;
}

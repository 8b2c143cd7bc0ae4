import type { Currency } from '@krapao/contract/shared';
import {
  type Cash,
  type Channel,
  type Game,
  type Hour,
  hourText,
  type Liability,
  type Waiting,
} from './columns.tsx';

/** Values of one bar or group of bars, by series. */
export type Point = { at: string } & Record<string, string | number>;

const DAY_MS = 86_400_000;
const isoOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Every day from one to another, both included, as YYYY-MM-DD. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) days.push(isoOf(ms));
  return days;
}

/** The same number of days right before a period. */
export function periodBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const length = Date.parse(to) - Date.parse(from) + DAY_MS;
  return { from: isoOf(Date.parse(from) - length), to: isoOf(Date.parse(from) - DAY_MS) };
}

/** The last `count` days up to a day, which is included. */
export const lastDays = (today: string, count: number): { from: string; to: string } => ({
  from: isoOf(Date.parse(today) - (count - 1) * DAY_MS),
  to: today,
});

/** The seven days from a Monday. */
export const weekFrom = (monday: string): { from: string; to: string } => ({
  from: monday,
  to: isoOf(Date.parse(monday) + 6 * DAY_MS),
});

/** Money in and out by day; days without any are zero. */
export function cashPoints(rows: readonly Cash[], currency: Currency, days: readonly string[]): Point[] {
  const ofDay = new Map(rows.filter((row) => row.currency === currency).map((row) => [row.day, row]));
  return days.map((day) => {
    const row = ofDay.get(day);
    return { at: day, deposits: row?.deposits ?? 0, withdrawals: row?.withdrawals ?? 0 };
  });
}

/** Deposits by day and channel, and the channels that have any, the largest first. */
export function channelPoints(
  rows: readonly Channel[],
  currency: Currency,
  days: readonly string[],
): { points: Point[]; channels: string[] } {
  const own = rows.filter((row) => row.currency === currency);
  const channels = byAmount(own);
  const points = days.map((day) => {
    const point: Point = { at: day };
    for (const channel of channels) point[channel] = 0;
    for (const row of own) if (row.day === day) point[row.channel] = row.amount;
    return point;
  });
  return { points, channels };
}

/** Names that rows have, those of the largest sums first. */
function byAmount(rows: readonly { channel: string; amount: number }[]): string[] {
  const sums = new Map<string, number>();
  for (const { channel, amount } of rows) sums.set(channel, (sums.get(channel) ?? 0) + amount);
  return [...sums].toSorted((one, other) => other[1] - one[1]).map(([channel]) => channel);
}

const HOURS = 24;

/** Deposits by hour of the day and channel; hours without any are zero. */
export function hourPoints(
  rows: readonly Hour[],
  currency: Currency,
): { points: Point[]; channels: string[] } {
  const own = rows.filter((row) => row.currency === currency);
  const channels = byAmount(own);
  const points = Array.from({ length: HOURS }, (_, hour) => {
    const point: Point = { at: hourText(hour).slice(0, 5) };
    for (const channel of channels) point[channel] = 0;
    for (const row of own) if (row.hour === hour) point[row.channel] = row.amount;
    return point;
  });
  return { points, channels };
}

/** Figures by day, the oldest first; days without a row are zero. */
export function dayPoints(
  rows: readonly (Liability | Waiting)[],
  currency: Currency,
  days: readonly string[],
  names: readonly string[],
): Point[] {
  const ofDay = new Map(rows.filter((row) => row.currency === currency).map((row) => [row.day, row]));
  return days.map((day) => {
    const row: Record<string, unknown> = ofDay.get(day) ?? {};
    return { at: day, ...Object.fromEntries(names.map((name) => [name, Number(row[name] ?? 0)])) };
  });
}

/** The game's result of members' stakes, the largest first. */
export const gamePoints = (rows: readonly Game[], currency: Currency): Point[] =>
  rows
    .filter((row) => row.currency === currency)
    .toSorted((one, other) => other.result - one.result)
    .map(({ name, result }) => ({ at: name, result }));

/** The sum of one figure of the rows in a currency; exact to a hundredth. */
export function sumOf(rows: readonly object[], figure: string, currency: Currency): number {
  const own = (rows as readonly ({ currency: Currency } & Record<string, unknown>)[]).filter(
    (row) => row.currency === currency,
  );
  return own.reduce((sum, row) => sum + Math.round(Number(row[figure]) * 100), 0) / 100;
}

/** A figure of the newest row in a currency; rows begin with the newest. */
export function lastOf(rows: readonly object[], figure: string, currency: Currency): number {
  const own = rows as readonly ({ currency: Currency } & Record<string, unknown>)[];
  return Number(own.find((row) => row.currency === currency)?.[figure] ?? 0);
}

/** By how many percent a sum differs from the one before; null where that was nothing or a loss. */
export const changeOf = (now: number, before: number): number | null =>
  before <= 0 ? null : Math.round(((now - before) / before) * 100);

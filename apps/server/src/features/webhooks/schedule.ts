import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';

/** Pauses after failed attempts, three days together. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[1, 2, 4, 8, 12, 12, 16, 16].map((hours) => hours * HOUR_MS),
];
/** How far a pause may differ, so that what failed together does not come back together. */
const JITTER = 0.1;

/** Returns the pause after attempt `tries`, counted from 1; null: it is given up. */
export function pauseAfter(tries: number, random: () => number = Math.random): number | null {
  const pauseMs = PAUSES_MS[tries - 1];
  return pauseMs === undefined ? null : Math.round(pauseMs * (1 + JITTER * (2 * random() - 1)));
}

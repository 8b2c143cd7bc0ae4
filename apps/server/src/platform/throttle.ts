import { MINUTE_MS } from '@krapao/contract/durations';
import type { Db, Pool } from './database/db.ts';

export interface Window {
  /** The counter's key, for example "otp-phone:0815550142". */
  key: string;
  max: number;
  ms: number;
}

/**
 * Counts one event in a window shared by all instances and says whether it still fits. One statement decides, so
 * parallel events are never let through together past the maximum.
 */
export async function countInWindow(pool: Pool, window: Window, now: Date): Promise<boolean> {
  const result = await pool.query({
    name: 'throttle',
    text: `insert into throttle (key, count, opened_at, closes_at) values ($1, 1, $2, $3)
      on conflict (key) do update set
        count = case when throttle.closes_at <= $2 then 1 else throttle.count + 1 end,
        opened_at = case when throttle.closes_at <= $2 then $2 else throttle.opened_at end,
        closes_at = case when throttle.closes_at <= $2 then $3 else throttle.closes_at end
      returning count`,
    values: [window.key, now, new Date(now.getTime() + window.ms)],
  });
  return result.rows[0]!.count <= window.max;
}

/**
 * Counts one event, or `amount` of them, and returns how many the window holds with them. A window that `extends` closes
 * only once nothing was counted for its whole length.
 */
export async function countUp(
  db: Db,
  window: { key: string; ms: number; extends?: boolean },
  now: Date,
  amount = 1,
): Promise<number> {
  const result = await db.query({
    name: 'throttle-up',
    text: `insert into throttle (key, count, opened_at, closes_at) values ($1, $5, $2, $3)
      on conflict (key) do update set
        count = case when throttle.closes_at <= $2 then $5 else throttle.count + $5 end,
        opened_at = case when throttle.closes_at <= $2 then $2 else throttle.opened_at end,
        closes_at = case when throttle.closes_at <= $2 or $4 then $3 else throttle.closes_at end
      returning count`,
    values: [window.key, now, new Date(now.getTime() + window.ms), window.extends ?? false, amount],
  });
  return result.rows[0]!.count;
}

/** Adds an amount to a window if it fits and returns whether it did; an amount that does not fit is not added. */
export async function spendInWindow(pool: Pool, window: Window, amount: number, now: Date): Promise<boolean> {
  if (amount > window.max) return false;
  const result = await pool.query(
    `insert into throttle as t (key, count, opened_at, closes_at) values ($1, $4, $2, $3)
     on conflict (key) do update set
       count = case when t.closes_at <= $2 then $4 else t.count + $4 end,
       opened_at = case when t.closes_at <= $2 then $2 else t.opened_at end,
       closes_at = case when t.closes_at <= $2 then $3 else t.closes_at end
     where t.closes_at <= $2 or t.count + $4 <= $5`,
    [window.key, now, new Date(now.getTime() + window.ms), amount, window.max],
  );
  return result.rowCount === 1;
}

/** How many events the open window holds; 0 when none is open. */
export async function readWindow(
  pool: Pool,
  key: string,
  now: Date,
): Promise<{ count: number; closesAt: Date | null }> {
  const result = await pool.query('select count, closes_at from throttle where key = $1 and closes_at > $2', [
    key,
    now,
  ]);
  const row = result.rows[0];
  return { count: row?.count ?? 0, closesAt: row?.closes_at ?? null };
}

/** Whole minutes until a moment, one at least, as texts name a wait. */
export const minutesUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / MINUTE_MS));

/** Closes a window early, for example after a login that went right. */
export async function closeWindow(pool: Pool, key: string): Promise<void> {
  await pool.query('delete from throttle where key = $1', [key]);
}

/** Takes one counted event back, for example a try that turned out right. */
export async function uncount(pool: Pool, key: string): Promise<void> {
  await pool.query('update throttle set count = count - 1 where key = $1 and count > 0', [key]);
}

/** Deletes closed windows, so many at most; returns their number. One that opens again meanwhile stays. */
export async function sweepWindows(pool: Pool, now: Date, count: number): Promise<number> {
  const result = await pool.query(
    `delete from throttle where closes_at < $1 and key = any(array(
       select key from throttle where closes_at < $1 order by closes_at limit $2))`,
    [now, count],
  );
  return result.rowCount ?? 0;
}

import type { Pool } from './database/db.ts';
import type { Redis } from './redis.ts';
import { Refusal } from './refusal.ts';
import { countUp, minutesUntil, readWindow, spendInWindow, uncount, type Window } from './throttle.ts';

/**
 * How often something may be done, counted over all servers. For what only costs work when it is counted too low: a
 * count may be lost with Redis. What guards one account (passwords, PINs, codes) is counted in the database alone, see
 * throttle.ts.
 */
export interface Limits {
  /** Counts one event in a window and says whether it still fits; parallel events never fit together past the maximum. */
  fits(window: Window, now: Date): Promise<boolean>;
  /** Counts one event, or `amount` of them, and answers how many the window holds with them. */
  count(window: { key: string; ms: number; extends?: boolean }, now: Date, amount?: number): Promise<number>;
  /** Adds an amount to a window if it fits and returns whether it did; an amount that does not fit is not added. */
  spend(window: Window, amount: number, now: Date): Promise<boolean>;
  /** Takes one counted event back. */
  giveBack(key: string): Promise<void>;
  /** When an open window closes; null when none is open. */
  closesAt(key: string, now: Date): Promise<Date | null>;
}

/** The refusal of what did not fit in a window: REQUEST_LIMIT, with the minutes until the window closes. */
export async function windowIsFull(limits: Limits, key: string, now: Date, note?: string): Promise<Refusal> {
  const at = await limits.closesAt(key, now);
  return new Refusal('REQUEST_LIMIT', at ? { minutes: minutesUntil(at, now) } : undefined, note);
}

/**
 * Counts one event in a window. Throws REQUEST_LIMIT, with the minutes until the window closes, when it does not fit.
 * @param note what the log says besides the code
 */
export async function requireWithinLimit(
  limits: Limits,
  window: Window,
  now: Date,
  note?: string,
): Promise<void> {
  if (!(await limits.fits(window, now))) throw await windowIsFull(limits, window.key, now, note);
}

/** Counts in the table `throttle`, one row a window. */
export function databaseLimits(pool: Pool): Limits {
  const limits: Limits = {
    fits: async (window, now) => (await limits.count(window, now)) <= window.max,
    count: (window, now, amount) => countUp(pool, window, now, amount),
    spend: (window, amount, now) => spendInWindow(pool, window, amount, now),
    giveBack: (key) => uncount(pool, key),
    closesAt: async (key, now) => (await readWindow(pool, key, now)).closesAt,
  };
  return limits;
}

/** KEYS[1] the window; ARGV: amount, ms, whether it extends, maximum or -1. Answers the count, or -1 if it does not fit. */
const ADD = `local count = tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[1])
local max = tonumber(ARGV[4])
if max >= 0 and count > max then return -1 end
redis.call('INCRBY', KEYS[1], ARGV[1])
if ARGV[3] == '1' or redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return count`;

const GIVE_BACK = `if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 1`;

/**
 * Counts in Redis, where a key shared by all callers needs no lock. Windows open and close by the clock of Redis.
 * Whatever Redis does not answer in time is counted by `instead`; a window is then begun anew.
 */
export function redisLimits(redis: Redis, instead: Limits): Limits {
  const run = (script: string, key: string, ...args: (string | number)[]) =>
    redis.attempt(
      (client) =>
        client.eval(script, {
          keys: [redis.name(`limit:${key}`)],
          arguments: args.map(String),
        }) as Promise<number>,
    );
  const add = (window: { key: string; ms: number; extends?: boolean }, amount: number, max: number) =>
    run(ADD, window.key, amount, window.ms, window.extends ? 1 : 0, max);
  const limits: Limits = {
    fits: async (window, now) => (await limits.count(window, now)) <= window.max,
    count: async (window, now, amount = 1) =>
      (await add(window, amount, -1)) ?? instead.count(window, now, amount),
    async spend(window, amount, now) {
      const count = await add(window, amount, window.max);
      return count === null ? instead.spend(window, amount, now) : count >= 0;
    },
    async giveBack(key) {
      if ((await run(GIVE_BACK, key)) === null) await instead.giveBack(key);
    },
    async closesAt(key, now) {
      const rest = await redis.attempt((client) => client.pTTL(redis.name(`limit:${key}`)));
      if (rest === null) return instead.closesAt(key, now);
      return rest > 0 ? new Date(now.getTime() + rest) : null;
    },
  };
  return limits;
}

import { MINUTE_MS, SECOND_MS } from '@krapao/contract/durations';
import type { Pool } from './database/db.ts';
import { networksOf } from './http/caller.ts';
import { databaseLimits, type Limits, requireWithinLimit } from './limits.ts';
import { closeWindow, uncount } from './throttle.ts';

/** From this number of failures on, one attempt is allowed per interval. */
interface Step {
  failures: number;
  waitMs: number;
}

/** What failures are counted by, and how attempts are delayed as failures grow. */
export interface Meter {
  /** An account is counted in the database, where no count is lost; an address wherever limits are. */
  of: 'account' | 'address';
  key: string;
  ms: number;
  /** Closes only once nothing was counted for its whole length. */
  extends?: boolean;
  /** From few failures to many. */
  steps: readonly Step[];
}

/** Tries that are counted as failures until they turn out right. */
export interface Attempt {
  /** The try was right, or was never made: it counts no more. */
  giveBack(): Promise<void>;
}

/**
 * One account over all addresses: free to ten failures, then a try in ten seconds, a minute, five minutes. Quiet for a
 * whole window forgets it.
 */
export const accountMeter = (key: string, ms: number): Meter => ({
  of: 'account',
  key,
  ms,
  extends: true,
  steps: [
    { failures: 10, waitMs: 10 * SECOND_MS },
    { failures: 20, waitMs: MINUTE_MS },
    { failures: 50, waitMs: 5 * MINUTE_MS },
  ],
});

/** One address over all accounts: free to `max` failures, then spaced the same way. An IPv6 site has a meter of its own. */
export const addressMeters = (kind: string, address: string, limit: { max: number; ms: number }): Meter[] =>
  networksOf(address).map(({ network, times }) => ({
    of: 'address',
    key: `${kind}:${network}`,
    ms: limit.ms,
    steps: [
      { failures: limit.max * times, waitMs: 10 * SECOND_MS },
      { failures: 2 * limit.max * times, waitMs: MINUTE_MS },
      { failures: 4 * limit.max * times, waitMs: 5 * MINUTE_MS },
    ],
  }));

/**
 * Counts one call of an address, and of an IPv6 site with it. Throws REQUEST_LIMIT, with the minutes until it has calls
 * again, when either has used up its limit.
 * @param note what the log says besides the code
 */
export async function requireAddressWithinLimit(
  limits: Limits,
  kind: string,
  address: string,
  limit: { max: number; ms: number },
  now: Date,
  note?: string,
): Promise<void> {
  for (const { network, times } of networksOf(address))
    await requireWithinLimit(
      limits,
      { key: `${kind}:${network}`, max: limit.max * times, ms: limit.ms },
      now,
      note,
    );
}

/** Where tries are counted. */
export interface AttemptDeps {
  pool: Pool;
  limits: Limits;
}

const countersOf = ({ pool, limits }: AttemptDeps, meter: Meter): Limits =>
  meter.of === 'account' ? databaseLimits(pool) : limits;

/** Counts a try, which stays counted when the time of the next one has not come: then it throws REQUEST_LIMIT. */
async function takeTry(deps: AttemptDeps, meter: Meter, now: Date): Promise<void> {
  const counters = countersOf(deps, meter);
  const count = await counters.count(meter, now);
  const step = meter.steps.findLast(({ failures }) => count > failures);
  if (step) await requireWithinLimit(counters, { key: `slow:${meter.key}`, max: 1, ms: step.waitMs }, now);
}

/**
 * Takes one try at every meter, in their order, before anything is checked, so that parallel guesses cannot exceed those
 * allowed. Throws REQUEST_LIMIT, with the minutes to wait, when one is spaced out and the time has not come; then no
 * meter counts the try.
 */
export async function takeAttempt(deps: AttemptDeps, meters: readonly Meter[], now: Date): Promise<Attempt> {
  const taken: Meter[] = [];
  const giveBack = async () => {
    for (const meter of taken) await countersOf(deps, meter).giveBack(meter.key);
  };
  for (const meter of meters) {
    taken.push(meter);
    try {
      await takeTry(deps, meter, now);
    } catch (error) {
      await giveBack();
      throw error;
    }
  }
  return { giveBack };
}

/** A try at a password that was counted before the password is checked. */
export interface PasswordTry {
  /** The password was right. Neither this try nor the earlier ones in its window count any more. */
  succeed(): Promise<void>;
  /** The password was not checked. This try does not count; the earlier ones still do. */
  cancel(): Promise<void>;
}

/**
 * Counts one try at a password in a window and at every meter. Throws REQUEST_LIMIT when the window is full, with the
 * minutes until it closes, or when a meter spaces its tries, with the minutes to wait; a try that a meter refuses is not counted in the window.
 * @param meters read only when the window has room
 */
export async function takePasswordTry(
  deps: AttemptDeps,
  window: { key: string; max: number; ms: number },
  meters: () => Promise<readonly Meter[]>,
  now: Date,
): Promise<PasswordTry> {
  const { pool } = deps;
  await requireWithinLimit(databaseLimits(pool), window, now);
  let attempt: Attempt;
  try {
    attempt = await takeAttempt(deps, await meters(), now);
  } catch (error) {
    await uncount(pool, window.key);
    throw error;
  }
  return {
    async succeed() {
      await closeWindow(pool, window.key);
      await attempt.giveBack();
    },
    async cancel() {
      await uncount(pool, window.key);
      await attempt.giveBack();
    },
  };
}

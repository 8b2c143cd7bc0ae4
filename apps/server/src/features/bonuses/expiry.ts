import { HOUR_MS } from '@krapao/contract/durations';
import type { OpenAlert } from '../../platform/alerts.ts';
import { forEachRow } from '../../platform/for-each.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import { refreshAll } from '../games/read.ts';
import { type BonusDeps, holderOf } from './deps.ts';
import { endRun } from './end.ts';
import {
  alertStuck,
  clearStuck,
  type DueRun,
  findActiveRun,
  listDue,
  listStuck,
  type RunRow,
} from './queries.ts';

interface ExpiryDeps extends BonusDeps {
  alert: OpenAlert;
}

const alertLate = (deps: ExpiryDeps, run: RunRow, detail: string): Promise<void> =>
  deps.alert('bonus-stuck', `member:${run.member_id}`, detail, (now) =>
    alertStuck(deps.pool, run.id, detail, now),
  );

/** Ends one run past its time; retries what cannot be decided, and alerts operators after a day. */
async function expire(deps: ExpiryDeps, memberId: bigint): Promise<void> {
  const run = await findActiveRun(deps.pool, memberId);
  if (!run) return;
  try {
    await endRun(refuseAny, deps, holderOf(run), { by: 'system', to: 'expire' });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const lateMs = deps.clock.now().getTime() - run.expires_at.getTime();
    if (lateMs >= deps.settings.get('bonus.stuckHours') * HOUR_MS)
      await alertLate(deps, run, `run ${run.id} cannot end: ${error.code}`);
  }
}

/**
 * Reads the games of a run that could not be decided, and clears its mark when all respond: only a provider that is silent
 * all the while lets an operator end the run by the last known figures.
 */
async function recheck(deps: ExpiryDeps, memberId: bigint): Promise<void> {
  const run = await findActiveRun(deps.pool, memberId);
  // What is on its way is a provider's silence too.
  if (!run?.stuck_since || run.is_moving) return;
  const readings = await refreshAll(deps, holderOf(run));
  if (readings.every(({ ok }) => ok)) await clearStuck(deps.pool, run.id);
}

/** Runs looked at in one job, and how many of them at once: each may wait for a provider who does not respond. */
const DUE_MAX = 200;
const STUCK_MAX = 50;
const AT_ONCE = 10;

/**
 * Ends runs when their time is over, and reads again the games of those that could not be decided. Runs that cannot end
 * yet do not hold up others.
 */
export function bonusJobs(deps: ExpiryDeps): JobSet {
  let last: DueRun | null = null;
  let lastStuck: bigint | null = null;
  return {
    partner: 'bonuses',
    tasks: {
      'bonuses.expire': async () => {
        const due = await listDue(deps.pool, deps.clock.now(), last, DUE_MAX);
        last = due.length < DUE_MAX ? null : due.at(-1)!;
        await forEachRow(due, ({ member_id }) => expire(deps, member_id), AT_ONCE);
      },
      'bonuses.recheck': async () => {
        const stuck = await listStuck(deps.pool, deps.clock.now(), lastStuck, STUCK_MAX);
        lastStuck = stuck.length < STUCK_MAX ? null : stuck.at(-1)!.member_id;
        await forEachRow(stuck, ({ member_id }) => recheck(deps, member_id), AT_ONCE);
      },
    },
    everyMinute: ['bonuses.expire', 'bonuses.recheck'],
  };
}

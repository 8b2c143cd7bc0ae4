import { HOUR_MS } from '@krapao/contract/durations';
import type { OpenAlert } from '../../platform/alerts.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import { type BonusDeps, holderOf } from './deps.ts';
import { endRun } from './end.ts';
import { findActiveRun, listDue } from './queries.ts';

interface ExpiryDeps extends BonusDeps {
  alert: OpenAlert;
}

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
      await deps.alert('bonus-stuck', `member:${memberId}`, `run ${run.id} cannot end: ${error.code}`);
  }
}

/** Runs end by themselves when their time is over. */
export function bonusJobs(deps: ExpiryDeps): JobSet {
  return {
    tasks: {
      'bonuses.expire': async () => {
        for (const memberId of await listDue(deps.pool, deps.clock.now())) await expire(deps, memberId);
      },
    },
    everyMinute: ['bonuses.expire'],
  };
}

import type { JobSet } from '../../platform/jobs.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { BonusDeps } from './deps.ts';
import { endRun } from './end.ts';
import { findActiveRun, listDue, markStuck } from './queries.ts';

const ALERT_MS = 24 * 3_600_000;

/** Ends one run past its time; what cannot be decided is tried again, and told to operators after a day. */
async function expire(deps: BonusDeps, memberId: bigint): Promise<void> {
  const run = await findActiveRun(deps.pool, memberId);
  if (!run) return;
  const { currency, wallet_account: walletAccount, hold_account: holdAccount } = run;
  try {
    const member = { id: memberId, currency, walletAccount, holdAccount };
    await endRun(deps, member, { by: 'expiry', state: 'EXPIRED' });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const now = deps.clock.now();
    const since = await markStuck(deps.pool, run.id, now);
    if (since && now.getTime() - since.getTime() >= ALERT_MS)
      await deps.alert('bonus-stuck', `member:${memberId}`, `run ${run.id} cannot end: ${error.code}`);
  }
}

/** Runs end by themselves when their time is over. */
export function bonusJobs(deps: BonusDeps): JobSet {
  return {
    tasks: {
      'bonuses.expire': async () => {
        for (const memberId of await listDue(deps.pool, deps.clock.now())) await expire(deps, memberId);
      },
    },
    everyMinute: ['bonuses.expire'],
  };
}

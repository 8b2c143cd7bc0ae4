import { forEachRow } from '../../platform/for-each.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { type GameDeps, listGameAccounts, readStaked } from '../games/read.ts';
import { listWaiting, listWaitingOf, noteStaked, type WaitingRow } from './queries.ts';

/** How many shares are checked at once: each check calls every game its member has opened. */
const AT_ONCE = 20;
const AGAIN_MS = 10 * 60_000;

/**
 * Reads how much an invited member has bet since their deposit. A provider without a response counts as nothing yet, and
 * one with more bets than one reading takes as what was read of them.
 */
async function readPlayOf(deps: GameDeps, share: WaitingRow): Promise<void> {
  const accounts = await listGameAccounts(deps.pool, share.invitee_id);
  const readings = await Promise.all(
    accounts.map((account) => readStaked(deps, share, account, share.created_at)),
  );
  const staked = readings.reduce((sum, one) => sum + (one?.minor ?? 0n), 0n);
  // Where there are more bets than one reading takes, the next one goes on.
  const isAll = readings.every((one) => one?.isAll !== false);
  await noteStaked(deps.pool, share.id, staked, isAll ? deps.clock.now() : null);
}

/** Updates the pending shares of one inviter, as far as one batch goes. */
export async function readPlayNow(deps: GameDeps, memberId: bigint): Promise<void> {
  const waiting = await listWaitingOf(deps.pool, memberId, AT_ONCE);
  await Promise.all(waiting.map((share) => readPlayOf(deps, share)));
}

/** What invited members have played is looked at now and then, so that inviters see what they can receive. */
export function inviteJobs(deps: GameDeps): JobSet {
  return {
    partner: 'game readings',
    tasks: {
      'invites.ask': async () => {
        const before = new Date(deps.clock.now().getTime() - AGAIN_MS);
        await forEachRow(await listWaiting(deps.pool, before, AT_ONCE), (share) => readPlayOf(deps, share));
      },
    },
    everyMinute: ['invites.ask'],
  };
}

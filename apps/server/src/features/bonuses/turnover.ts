import type { Refuse } from '../../platform/refusal.ts';
import { type Reading, readStaked } from '../games/read.ts';
import type { BonusDeps, Holder } from './deps.ts';
import { findActiveRun, noteTurnover, type RunRow } from './queries.ts';
import { thresholdsOf } from './run-verdict.ts';

/** What bets in allowed games come to at their weights, minor units; null for each game that does not respond. */
function readBets(deps: BonusDeps, member: Holder, run: RunRow, readings: Reading[]) {
  const weightOf = (slot: string) => (run.games ? (run.games[slot] ?? 0) : 100);
  const counted = readings.filter(({ account }) => weightOf(account.slot_code) > 0);
  return Promise.all(
    counted.map(async ({ account }) => {
      const staked = await readStaked(deps, member, account, run.started_at);
      const weight = BigInt(Math.round(weightOf(account.slot_code)));
      return staked && { minor: (staked.minor * weight) / 100n, isAll: staked.isAll };
    }),
  );
}

/**
 * What bets in allowed games come to at their weights. Throws PROVIDER_UNAVAILABLE when a provider does not respond, or
 * when it has more bets than one reading takes and those read are not enough: the next reading goes on from them.
 */
export async function readTurnover(
  refuse: Refuse<'PROVIDER_UNAVAILABLE'>,
  deps: BonusDeps,
  member: Holder,
  run: RunRow,
  readings: Reading[],
): Promise<bigint> {
  const { needed } = thresholdsOf(run);
  if (needed === 0n) return 0n;
  const sums = (await readBets(deps, member, run, readings)).map((sum) => {
    if (sum === null) throw refuse('PROVIDER_UNAVAILABLE');
    return sum;
  });
  const read = sums.reduce((sum, { minor }) => sum + minor, 0n);
  await noteTurnover(deps.pool, run.id, read);
  const turnover = read > run.turnover ? read : run.turnover;
  if (turnover < needed && sums.some(({ isAll }) => !isAll))
    throw refuse('PROVIDER_UNAVAILABLE', undefined, 'more bets than one reading takes');
  return turnover;
}

/**
 * Stores the bets of the member's run so far while it needs more, for a member whose games have just been read. A game
 * that does not respond counts as no bets: what was stored stays, because it only grows.
 */
export async function noteBets(deps: BonusDeps, member: Holder, readings: Reading[]): Promise<void> {
  const run = await findActiveRun(deps.pool, member.id);
  if (!run || run.turnover >= thresholdsOf(run).needed) return;
  // A game that has just been silent is not waited for again.
  const responding = readings.filter(({ silent }) => !silent);
  const sums = await readBets(deps, member, run, responding);
  await noteTurnover(
    deps.pool,
    run.id,
    sums.reduce((sum, one) => sum + (one?.minor ?? 0n), 0n),
  );
}

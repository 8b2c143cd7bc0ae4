import { type OperatorActionRow, readBalance } from '../../ledger/index.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { readFractions, refreshAll, sweepToWallet } from '../games/read.ts';
import { type BonusDeps, costOf, type Holder, TRIES } from './deps.ts';
import { type RunEnd, runEndItem } from './ledger.ts';
import { clearStuck, findActiveRun, markStuck, type RunRow } from './queries.ts';
import { progressOf, verdictOf } from './run-verdict.ts';
import { readTurnover } from './turnover.ts';

/** How a run is to end, and by whom. */
type Way =
  /** By its terms, past its time as expired; or given up. `requireShown` throws when the member was shown less than the end would take. */
  | { by: 'member'; to: 'decide' | 'forfeit'; requireShown(run: RunRow, end: RunEnd): void }
  | { by: 'system'; to: 'expire' }
  /**
   * `keep` is a success without its terms. `known`: by the last known figures, because a provider does not respond;
   * balances out of reach are then not taken. `beforeEnd` may throw, so that nothing is booked. `actionOf` is the
   * operator's action, for the audit row.
   */
  | {
      by: 'operator';
      to: 'forfeit' | 'keep';
      known: boolean;
      beforeEnd(run: RunRow, end: RunEnd): Promise<void>;
      actionOf(run: RunRow, end: RunEnd): OperatorActionRow;
    };

/** What the end is: a run past its time expires, whether or not its member has won it since. */
const endsAs = (deps: BonusDeps, run: RunRow, way: Way): Way['to'] =>
  way.to === 'decide' && run.expires_at <= deps.clock.now() ? 'expire' : way.to;

/** A game cannot be read while a transfer is on its way: the run stays open, and the known state is returned. */
const whileMoving = (refuse: Refuse<'PROVIDER_UNAVAILABLE' | 'BONUS_CONDITION'>, run: RunRow): Refusal =>
  verdictOf(run)
    ? refuse('PROVIDER_UNAVAILABLE', undefined, 'a transfer is on its way')
    : refuse('BONUS_CONDITION', progressOf(run));

/**
 * Returns the run by newly read figures; null when something moved meanwhile. Throws NO_DATA without a run,
 * PROVIDER_UNAVAILABLE when a provider does not respond.
 */
async function readRun(
  refuse: Refuse<'NO_DATA' | 'PROVIDER_UNAVAILABLE' | 'BONUS_CONDITION'>,
  deps: BonusDeps,
  member: Holder,
  way: Way,
): Promise<RunRow | null> {
  const before = await findActiveRun(deps.pool, member.id);
  if (!before) throw refuse('NO_DATA');
  if (way.by === 'operator' && way.known) return before;
  const readings = await refreshAll(deps, member);
  if (readings.some((reading) => reading.silent)) throw refuse('PROVIDER_UNAVAILABLE');
  const run = await findActiveRun(deps.pool, member.id);
  if (!run) throw refuse('NO_DATA');
  if (readings.some((reading) => !reading.ok)) {
    if (run.is_moving) throw whileMoving(refuse, run);
    return null;
  }
  return endsAs(deps, run, way) === 'decide'
    ? { ...run, turnover: await readTurnover(refuse, deps, member, run, readings) }
    : run;
}

/** What of an amount is above another, in minor units. */
export const over = (standing: bigint, most: bigint): bigint => (standing > most ? standing - most : 0n);

/** What the end is and takes. Throws BONUS_CONDITION while the run is neither won nor lost. */
function endOf(refuse: Refuse<'BONUS_CONDITION'>, run: RunRow, to: Way['to']): RunEnd {
  if (to === 'forfeit' || to === 'expire')
    return {
      state: to === 'expire' ? 'EXPIRED' : 'FORFEITED',
      takenMinor: over(run.standing, run.qualifying),
    };
  const state = to === 'keep' ? 'SUCCESS' : verdictOf(run);
  if (!state) throw refuse('BONUS_CONDITION', progressOf(run));
  const isCapped = state === 'SUCCESS' && run.withdraw_max !== null;
  return { state, takenMinor: isCapped ? over(run.standing, run.withdraw_max!) : 0n };
}

/**
 * Returns the end when the wallet holds the money for it; null when game balances had to be moved into it first, so that
 * the figures are read again. Parts of a credit that games do not move are not taken: they stay the member's.
 * Throws when it does not arrive: PROVIDER_UNAVAILABLE, or BONUS_CONDITION while it is in open bets or in transit.
 */
async function haveInWallet(
  refuse: Refuse<'TRANSFER_FAIL' | 'PROVIDER_UNAVAILABLE' | 'BONUS_CONDITION'>,
  deps: BonusDeps,
  member: Holder,
  run: RunRow,
  end: RunEnd,
  way: Way,
) {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  if (balanceMinor >= end.takenMinor) return end;
  if (way.by === 'operator' && way.known) return { ...end, takenMinor: balanceMinor };
  const legs = await sweepToWallet(refuse, deps, member, { neededMinor: end.takenMinor - balanceMinor });
  if (legs.some((leg) => leg.status === 'SUCCESS')) return null;
  if (legs.length > 0) throw refuse('PROVIDER_UNAVAILABLE');
  const fractions = await readFractions(deps, member);
  if (fractions !== null && end.takenMinor - balanceMinor <= fractions)
    return { ...end, takenMinor: balanceMinor };
  throw refuse('BONUS_CONDITION', progressOf(run));
}

/** Books the end in one transaction; false when what it was decided on has changed. */
async function post(
  refuse: Refuse<'NO_DATA'>,
  deps: BonusDeps,
  member: Holder,
  run: RunRow,
  end: RunEnd,
  way: Way,
): Promise<boolean> {
  if (way.by === 'operator') await way.beforeEnd(run, end);
  const outcome = await deps.ledger.post(
    runEndItem({
      run,
      end,
      rowId: newId('BN', deps.clock.now()),
      walletAccount: member.walletAccount,
      cost: await deps.systemAccount(costOf(run.kind), member.currency),
      endedBy: way.by,
      action: way.by === 'operator' ? way.actionOf(run, end) : null,
    }),
  );
  if (outcome.state === 'posted') return true;
  const isEnded =
    outcome.state === 'repeated' || (outcome.state === 'refused' && outcome.body.message === 'ENDED');
  if (isEnded) throw refuse('NO_DATA');
  return false;
}

/** An end that was booked, and what stays of the balance that decided it. */
interface Ended extends RunEnd {
  leftMinor: bigint;
}

async function decide(
  refuse: Refuse<'TRANSFER_FAIL' | 'PROVIDER_UNAVAILABLE' | 'NO_DATA' | 'BONUS_CONDITION'>,
  deps: BonusDeps,
  member: Holder,
  way: Way,
): Promise<Ended> {
  for (let time = 0; time < TRIES; time++) {
    const run = await readRun(refuse, deps, member, way);
    if (!run) continue;
    const isRead = way.by !== 'operator' || !way.known;
    if (run.stuck_since && isRead) await clearStuck(deps.pool, run.id);
    const decided = endOf(refuse, run, endsAs(deps, run, way));
    // Before any game is emptied for it.
    if (way.by === 'member') way.requireShown(run, decided);
    const end = await haveInWallet(refuse, deps, member, run, decided, way);
    if (end && (await post(refuse, deps, member, run, end, way)))
      return { ...end, leftMinor: run.standing - end.takenMinor };
  }
  throw refuse('PROVIDER_UNAVAILABLE', undefined, 'balances still changing');
}

/**
 * Ends the member's run, once: by its terms, or as given up or past its time, which takes what is above the qualifying
 * deposit. Throws NO_DATA without a run, BONUS_CONDITION with the figures while it cannot end, PROVIDER_UNAVAILABLE
 * when a provider does not respond or balances keep changing; records since when.
 */
export async function endRun(
  refuse: Refuse<'TRANSFER_FAIL' | 'PROVIDER_UNAVAILABLE' | 'NO_DATA' | 'BONUS_CONDITION'>,
  deps: BonusDeps,
  member: Holder,
  way: Way,
): Promise<Ended> {
  try {
    return await decide(refuse, deps, member, way);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'PROVIDER_UNAVAILABLE')
      await markStuck(deps.pool, member.id, deps.clock.now());
    throw error;
  }
}

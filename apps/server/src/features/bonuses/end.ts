import { readBalance } from '../../ledger/index.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { bringHome, type Reading, readStaked, refreshAll } from '../games/read.ts';
import { type BonusDeps, type Holder, keysOf, TRIES } from './deps.ts';
import { findActiveRun, noteTurnover, type RunRow } from './queries.ts';
import { linesOf, progressOf, verdictOf } from './terms.ts';

/** How a run may end, and by whom. */
type Way = { by: string; state: 'FORFEITED' | 'EXPIRED' } | { by: 'member'; state: 'DECIDED' };

/** What bets in allowed games come to at their weights. Throws PROVIDER_UNAVAILABLE when a provider does not tell. */
async function readTurnover(
  deps: BonusDeps,
  member: Holder,
  run: RunRow,
  readings: Reading[],
): Promise<bigint> {
  if (linesOf(run).needed === 0n) return 0n;
  const weightOf = (slot: string) => (run.games ? (run.games[slot] ?? 0) : 100);
  const counted = readings.filter(({ account }) => weightOf(account.slot_code) > 0);
  const sums = await Promise.all(
    counted.map(async ({ account }) => {
      const staked = await readStaked(deps, member, account, run.started_at);
      if (staked === null) throw new Refusal('PROVIDER_UNAVAILABLE');
      return (staked * BigInt(Math.round(weightOf(account.slot_code)))) / 100n;
    }),
  );
  const turnover = sums.reduce((sum, one) => sum + one, 0n);
  await noteTurnover(deps.pool, run.id, turnover);
  return turnover > run.turnover ? turnover : run.turnover;
}

const over = (standing: bigint, most: bigint): bigint => (standing > most ? standing - most : 0n);

/** A game cannot be read while a transfer is on its way: nothing ends, and what is known is told. */
const whileMoving = (run: RunRow): Refusal =>
  verdictOf(run)
    ? new Refusal('PROVIDER_UNAVAILABLE', undefined, 'a transfer is on its way')
    : new Refusal('BONUS_CONDITION', progressOf(run));

/** What the end takes away. Throws BONUS_CONDITION while the run is neither won nor lost. */
function endOf(run: RunRow, way: Way): { state: string; taken: bigint } {
  if (way.state !== 'DECIDED') return { state: way.state, taken: over(run.standing, run.qualifying) };
  const state = verdictOf(run);
  if (!state) throw new Refusal('BONUS_CONDITION', progressOf(run));
  const isCapped = state === 'SUCCESS' && run.withdraw_max !== null;
  return { state, taken: isCapped ? over(run.standing, run.withdraw_max!) : 0n };
}

/**
 * Brings home what the wallet lacks for what is taken; false when something was brought, so that figures are read anew.
 * Throws when it does not come: PROVIDER_UNAVAILABLE, or BONUS_CONDITION while it lies in open bets or on its way.
 */
async function haveInWallet(deps: BonusDeps, member: Holder, run: RunRow, taken: bigint): Promise<boolean> {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  if (balanceMinor >= taken) return true;
  const legs = await bringHome(deps, member, { neededMinor: taken - balanceMinor });
  if (legs.some((leg) => leg.status === 'SUCCESS')) return false;
  if (legs.length > 0) throw new Refusal('PROVIDER_UNAVAILABLE');
  throw new Refusal('BONUS_CONDITION', progressOf(run));
}

/** Books the end in one transaction; false when what it was decided on has changed. */
async function post(
  deps: BonusDeps,
  member: Holder,
  run: RunRow,
  end: { state: string; taken: bigint; by: string },
): Promise<boolean> {
  const cost = await deps.house('bonus_cost', member.currency);
  const outcome = await deps.ledger.post({
    reference: `bonus:${run.id}:end`,
    kind: 'bonus_taken',
    memberId: member.id,
    legs: end.taken > 0n ? [{ from: member.walletAccount, to: cost, amountMinor: end.taken }] : [],
    companion: {
      name: 'bonus_end',
      values: [
        run.id,
        newId('BN', deps.clock.now()),
        end.state,
        end.taken,
        run.standing,
        run.turnover,
        end.by,
      ],
    },
    exclusive: keysOf(member.id),
  });
  if (outcome.state === 'posted') return true;
  const isEnded =
    outcome.state === 'repeated' || (outcome.state === 'refused' && outcome.body.message === 'ENDED');
  if (isEnded) throw new Refusal('NO_DATA');
  return false;
}

/**
 * Ends the member's run, once: by its terms, or as given up or expired, which takes what stands above the qualifying
 * deposit. Throws NO_DATA without a run, BONUS_CONDITION with the figures while it cannot end, PROVIDER_UNAVAILABLE
 * when somebody outside is silent or money moves all the while.
 */
export async function endRun(deps: BonusDeps, member: Holder, way: Way): Promise<void> {
  for (let time = 0; time < TRIES; time++) {
    if (!(await findActiveRun(deps.pool, member.id))) throw new Refusal('NO_DATA');
    const readings = await refreshAll(deps, member);
    if (readings.some((reading) => reading.silent)) throw new Refusal('PROVIDER_UNAVAILABLE');
    const found = await findActiveRun(deps.pool, member.id);
    if (!found) throw new Refusal('NO_DATA');
    if (readings.some((reading) => !reading.ok)) {
      if (found.is_moving) throw whileMoving(found);
      continue;
    }
    const run = { ...found, turnover: await readTurnover(deps, member, found, readings) };
    const { state, taken } = endOf(run, way);
    if (!(await haveInWallet(deps, member, run, taken))) continue;
    if (await post(deps, member, run, { state, taken, by: way.by })) return;
  }
  throw new Refusal('PROVIDER_UNAVAILABLE', undefined, 'money kept moving');
}

import type { ErrorCode } from '@krapao/contract/shared';
import { RespondedBefore } from '../../ledger/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Refusal, Refuse } from '../../platform/refusal.ts';
import { refreshAll } from '../games/read.ts';
import { type BonusDeps, type Holder, TRIES } from './deps.ts';
import { type Grant, type RunOffer, runStartItem } from './ledger.ts';
import { hasActiveRun, listFilledGames, type RunTerms, readWhole } from './queries.ts';
import { moveOutOf } from './run-verdict.ts';

/** Money under terms, as it is offered to one member now. */
interface Offer<Code extends ErrorCode> extends RunOffer {
  /** The code to answer for each reason with which the ledger refuses a start. */
  refusals: {
    BONUS_ALREADY_ACTIVE: Code;
    BONUS_REMAINING: Code;
    BONUS_MAX_CLAIMED?: Code;
    BONUS_FULL?: Code;
    NO_PROMOTION?: Code;
  };
  /** Computes the grant; reads the member's total balance, including games, when the terms need it. */
  grant(readTotal: () => Promise<bigint>): Promise<Grant>;
}

/** Something moved while figures were read. */
class Moved extends Error {}

/** Neither a balance nor bets to reach: money that is the member's at once. */
const isPlain = (terms: RunTerms): boolean => terms.success_percent === 0 && terms.turnover_percent === 0;

/** Reads every game afresh. Throws PROVIDER_UNAVAILABLE when one is silent; returns whether nothing moved meanwhile. */
async function readAfresh(
  refuse: Refuse<'PROVIDER_UNAVAILABLE'>,
  deps: BonusDeps,
  member: Holder,
): Promise<boolean> {
  const readings = await refreshAll(deps, member);
  if (readings.some((reading) => reading.silent)) throw refuse('PROVIDER_UNAVAILABLE');
  return readings.every((reading) => reading.ok);
}

/** Refuses a start because money remains where the run cannot bind it; names the games it must be moved out of. */
async function remains<Code extends ErrorCode>(
  refuse: Refuse<Code>,
  deps: BonusDeps,
  member: Holder,
  { refusals, terms }: Offer<Code>,
): Promise<Refusal> {
  const games = moveOutOf(terms.games, await listFilledGames(deps.pool, member.id));
  return refuse(refusals.BONUS_REMAINING, games.length > 0 ? { games } : undefined);
}

/** The grant and the total it was worked out on. Plain money needs no total: nothing is bound by it. */
async function workOut<Code extends ErrorCode>(
  refuse: Refuse<Code | 'PROVIDER_UNAVAILABLE'>,
  deps: BonusDeps,
  member: Holder,
  offer: Offer<Code>,
): Promise<{ grant: Grant; total: bigint }> {
  let total: bigint | null = null;
  const isFree = isPlain(offer.terms) && !offer.bonus;
  const isFresh = isFree || (await readAfresh(refuse, deps, member));
  const readTotal = async () => {
    const whole = await readWhole(deps.pool, member.id, offer.terms.games);
    if (whole.remains && !isFree) throw await remains(refuse, deps, member, offer);
    if (!isFresh) throw new Moved();
    total = whole.total;
    return total;
  };
  const grant = await offer.grant(readTotal);
  return { grant, total: total ?? (isFree ? 0n : await readTotal()) };
}

interface Posted {
  runId: string;
  granted: bigint;
}

/** Grants the money and starts the run in one transaction; null when what it was worked out on has changed. */
async function post<Code extends ErrorCode>(
  refuse: Refuse<Code>,
  deps: BonusDeps,
  member: Holder,
  offer: Offer<Code>,
  { grant, total }: { grant: Grant; total: bigint },
): Promise<Posted | null> {
  const at = deps.clock.now();
  const id = newId('BN', at);
  const outcome = await deps.ledger.post(runStartItem(offer, { id, member, at, grant, total }));
  if (outcome.state === 'posted') return { runId: id, granted: grant.granted };
  if (outcome.state === 'insufficient') return null;
  if (outcome.state === 'answered') throw new RespondedBefore();
  if (outcome.state !== 'refused') throw new Error(`start of a run ended as ${outcome.state}`);
  const refusal = outcome.body.message;
  if (refusal === 'STALE') return null;
  if (refusal === 'BONUS_REMAINING') throw await remains(refuse, deps, member, offer);
  const code = offer.refusals[refusal as keyof typeof offer.refusals];
  if (!code) throw new Error(`start of a run refused as ${refusal}`);
  throw refuse(code);
}

/**
 * Grants money under terms and starts its run, once for any number of concurrent calls. `findOffer` is called
 * again before every try and throws what prevents it. Plain money of no bonus starts no run, so it waits for no game and
 * no open bet; only for a run under way. Throws PROVIDER_UNAVAILABLE when a game is silent, or money moves all the while, and
 * AnsweredBefore when the intent's key is used up.
 */
export async function grantRun<Code extends ErrorCode>(
  refuse: Refuse<Code | 'PROVIDER_UNAVAILABLE'>,
  deps: BonusDeps,
  member: Holder,
  findOffer: () => Promise<Offer<Code>>,
): Promise<Posted> {
  for (let time = 0; time < TRIES; time++) {
    const offer = await findOffer();
    if (await hasActiveRun(deps.pool, member.id)) throw refuse(offer.refusals.BONUS_ALREADY_ACTIVE);
    try {
      const posted = await post(refuse, deps, member, offer, await workOut(refuse, deps, member, offer));
      if (posted) return posted;
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
    }
  }
  throw refuse('PROVIDER_UNAVAILABLE', undefined, 'balances still changing');
}

import { DAY_MS } from '@krapao/contract/durations';
import type { ErrorCode, RunKind } from '@krapao/contract/shared';
import {
  AnsweredBefore,
  type AttachedWrite,
  type BonusStartRow,
  type SavedAnswer,
} from '../../ledger/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { refreshAll } from '../games/read.ts';
import { type BonusDeps, type Holder, keysOf, TRIES } from './deps.ts';
import { hasActiveRun, type RunTerms, readWhole } from './queries.ts';

/** What is granted: minor units, and of the deposit behind it what is bound. */
export interface Grant {
  granted: bigint;
  deposit?: { id: string; qualifying: bigint };
}

/** Money under terms, as it is offered to one member now. */
interface Offer<Code extends ErrorCode> {
  kind: RunKind;
  /** What its statement rows call it. */
  label: string;
  terms: RunTerms;
  /** Account the money comes from. */
  from: bigint;
  /** Begins with `bonus_`: other money that comes into a wallet counts as added to a run. */
  entryKind: `bonus_${string}`;
  bonus?: { id: bigint; version: number; receivedSince: Date | null };
  /** Keys beyond the member's own under which items must not meet in a batch. */
  exclusive?: string[];
  /** The code to answer for each reason with which the ledger refuses a start. */
  refusals: {
    BONUS_ALREADY_ACTIVE: Code;
    BONUS_REMAINING: Code;
    BONUS_MAX_CLAIMED?: Code;
    BONUS_FULL?: Code;
    NO_PROMOTION?: Code;
  };
  /** Works out the grant; asks for everything the member has, by games read just now, when it needs to know. */
  grant(readTotal: () => Promise<bigint>): Promise<Grant>;
  /** The write that commits with the run instead of its start alone; it must guard and write `run` too. */
  attached?(run: BonusStartRow, grant: Grant): AttachedWrite;
  /** The wish's key with the answer that is kept under it by the transaction of the start. */
  saved?: SavedAnswer | undefined;
}

/** Something moved while figures were read. */
class Moved extends Error {}

/** Neither a balance nor bets to reach: money that is the member's at once. */
const isPlain = (terms: RunTerms): boolean => terms.success_percent === 0 && terms.turnover_percent === 0;

/** Reads every game afresh. Throws PROVIDER_UNAVAILABLE when one is silent; answers whether nothing moved meanwhile. */
async function readAfresh(
  refuse: Refuse<'PROVIDER_UNAVAILABLE'>,
  deps: BonusDeps,
  member: Holder,
): Promise<boolean> {
  const readings = await refreshAll(deps, member);
  if (readings.some((reading) => reading.silent)) throw refuse('PROVIDER_UNAVAILABLE');
  return readings.every((reading) => reading.ok);
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
    if (whole.remains && !isFree) throw refuse(offer.refusals.BONUS_REMAINING);
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
  const { terms, bonus } = offer;
  const now = deps.clock.now();
  const id = newId('BN', now);
  const run: BonusStartRow = {
    id,
    memberId: member.id,
    walletAccount: member.walletAccount,
    kind: offer.kind,
    bonusId: bonus?.id ?? null,
    bonusVersion: bonus?.version ?? null,
    label: offer.label,
    depositId: grant.deposit?.id ?? null,
    qualifying: grant.deposit?.qualifying ?? 0n,
    granted: grant.granted,
    successPercent: terms.success_percent,
    failPercent: terms.fail_percent,
    turnoverPercent: terms.turnover_percent,
    games: terms.games && JSON.stringify(terms.games),
    withdrawMax: terms.withdraw_max,
    expiresAt: new Date(now.getTime() + terms.days * DAY_MS),
    seenTotal: total,
    receivedSince: bonus?.receivedSince ?? null,
  };
  const outcome = await deps.ledger.post({
    reference: `bonus:${id}:start`,
    kind: offer.entryKind,
    memberId: member.id,
    legs: [{ from: offer.from, to: member.walletAccount, amountMinor: grant.granted }],
    attached: offer.attached?.(run, grant) ?? { name: 'bonus_start', row: run },
    ...(offer.saved ? { saved: offer.saved } : {}),
    exclusive: [...keysOf(member.id), ...(offer.exclusive ?? [])],
  });
  if (outcome.state === 'posted') return { runId: id, granted: grant.granted };
  if (outcome.state === 'insufficient') return null;
  if (outcome.state === 'answered') throw new AnsweredBefore();
  if (outcome.state !== 'refused') throw new Error(`start of a run ended as ${outcome.state}`);
  const said = outcome.body.message;
  if (said === 'STALE') return null;
  const code = offer.refusals[said as keyof typeof offer.refusals];
  if (!code) throw new Error(`start of a run refused as ${said}`);
  throw refuse(code);
}

/**
 * Grants money under terms and starts its run, once however often it is asked at the same time. `findOffer` is asked
 * again before every try and throws what bars it. Plain money of no bonus starts no run, so it waits for no game and
 * no open bet; only for a run under way. Throws PROVIDER_UNAVAILABLE when a game is silent, or money moves all the while, and
 * AnsweredBefore when the wish's key is used up.
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
  throw refuse('PROVIDER_UNAVAILABLE', undefined, 'money kept moving');
}

import type { ReviewReason } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Settings } from '../../platform/settings.ts';
import { verifyFromMinor } from '../kyc/read.ts';
import { createReadEvidence, type RiskEvidence, withoutNothing } from './evidence.ts';
import { outcomeOf, type RiskPart, scoreOf } from './score.ts';

export interface RiskDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
}

type Scored = { id: bigint; currency: Currency };

/** What is known of a withdrawal that is about to be made, and what that decides. */
export interface Assessment {
  score: number;
  parts: RiskPart[];
  evidence: Partial<RiskEvidence>;
  /** Why an operator must look, however small it is; empty: nothing known here. */
  reasons: ReviewReason[];
  reviewScore: number;
  holdScore: number;
  alertScore: number;
}

const SCORE_REASON = { pass: [], review: ['SCORE'], held: ['HELD'] } as const;

/** Why money that was deposited and not staked waits; 0: a game provider did not respond. */
function unplayedReason(unplayed: bigint | null): ReviewReason[] {
  if (unplayed === null) return [];
  return [unplayed === 0n ? 'UNPLAYED_UNKNOWN' : 'UNPLAYED'];
}

/** Whether the amount, with what was withdrawn in the 24 hours before, requires an identity that is not verified. */
async function unverifiedReason(
  deps: RiskDeps,
  member: Scored,
  amountMinor: bigint,
): Promise<ReviewReason[]> {
  const fromMinor = await verifyFromMinor(deps, member);
  return fromMinor === null || amountMinor < fromMinor ? [] : ['UNVERIFIED'];
}

/**
 * Returns the function that assesses a withdrawal: its score by the settings in force, and the reasons for a review.
 * `found` becomes what of it was not staked, minor units; null: nothing. It writes nothing and calls no partner.
 */
export function createAssess(
  deps: RiskDeps,
): (member: Scored, amountMinor: bigint, found: Promise<{ unplayed: bigint | null }>) => Promise<Assessment> {
  const readEvidence = createReadEvidence(deps);
  return async (member, amountMinor, found) => {
    const get = deps.settings.get;
    const requested = found.then(({ unplayed }) => ({ amountMinor, unplayedMinor: unplayed ?? 0n }));
    const [evidence, { unplayed }, unverified] = await Promise.all([
      readEvidence(member.id, requested),
      found,
      unverifiedReason(deps, member, amountMinor),
    ]);
    const scored = scoreOf(evidence, member.currency, get);
    return {
      ...scored,
      evidence: withoutNothing(evidence),
      reasons: [...SCORE_REASON[outcomeOf(scored.score, get)], ...unplayedReason(unplayed), ...unverified],
      reviewScore: get('risk.reviewScore'),
      holdScore: get('risk.holdScore'),
      alertScore: get('risk.alertScore'),
    };
  };
}

/** The score of a member as they are now, without a withdrawal. */
export async function readMemberRisk(
  deps: RiskDeps,
  member: Scored,
): Promise<{ score: number; parts: RiskPart[] }> {
  return scoreOf(await createReadEvidence(deps)(member.id, null), member.currency, deps.settings.get);
}

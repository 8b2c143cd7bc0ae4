import type { RiskPartCode } from '@krapao/contract/operator';
import { type Currency, toMinor } from '@krapao/contract/shared';
import type { SettingKey, SettingValues } from '../../platform/settings.ts';
import type { RiskEvidence } from './evidence.ts';

/** One part of a score; amounts in minor units. */
export interface RiskPart {
  code: RiskPartCode;
  points: number;
  count: number | null;
  amount: number | null;
  usual: number | null;
  members: string[];
  withdrawal: string | null;
  transfer?: string | null;
}

/** Reads a setting: those in force, or those that are tried. */
export type ReadSetting = <K extends SettingKey>(key: K) => SettingValues[K];

const SCORE_MAX = 100;
/** Below so many days with play, or paid withdrawals, a history is not significant. */
const HISTORY_LEAST = 3;

const NO_FIGURES = { count: null, amount: null, usual: null, members: [], withdrawal: null, transfer: null };

type Found = Partial<Pick<RiskPart, 'count' | 'amount' | 'usual' | 'members' | 'withdrawal' | 'transfer'>>;

/** Whether there are so many; a setting of 0 switches its part off. */
const reaches = (count: number, least: number): boolean => least > 0 && count >= least;

/** Some others there are. */
const others = (members: string[], least = 1): Found | null =>
  reaches(members.length, least) ? { count: members.length, members } : null;

const counted = (count: number, least: number): Found | null => (reaches(count, least) ? { count } : null);

/** An amount far above what a history of enough length leads one to expect. */
const aboveUsual = (
  history: { amount: number | null; usual: number; length: number },
  times: number,
  least: number,
): Found | null =>
  history.length >= HISTORY_LEAST &&
  history.amount !== null &&
  history.amount >= least &&
  history.amount > history.usual * times
    ? { amount: history.amount, usual: history.usual, count: history.length }
    : null;

/** What a partner executed although the wallet had the money back. */
export function contradicted(subject: string | null): Pick<Found, 'withdrawal' | 'transfer'> | null {
  if (subject === null) return null;
  const [kind, id] = subject.split(':');
  return kind === 'transfer' ? { transfer: id! } : { withdrawal: id! };
}

/** What each part finds, in the order it is shown, with the setting of its points. */
function find(
  evidence: RiskEvidence,
  currency: Currency,
  get: ReadSetting,
): [RiskPartCode, SettingKey & `risk.${string}Points`, Found | null][] {
  const least = (key: 'risk.stakeLeast' | 'risk.amountLeast') =>
    Number(toMinor(get(key)[currency], currency) ?? 0n);
  const stakes = { amount: evidence.staked, usual: evidence.stakedUsual, length: evidence.stakedDays };
  const amounts = { amount: evidence.amount, usual: evidence.paidUsual, length: evidence.paid };
  return [
    ['SHARED_ACCOUNT', 'risk.accountPoints', others(evidence.accountMembers)],
    ['SHARED_DEVICE', 'risk.devicePoints', others(evidence.deviceMembers)],
    ['SHARED_ADDRESS', 'risk.addressPoints', others(evidence.addressMembers, get('risk.addressMembers'))],
    ['INVITER_RING', 'risk.ringPoints', others(evidence.ringMembers, get('risk.ringMembers'))],
    ['UNPLAYED', 'risk.unplayedPoints', evidence.unplayed > 0 ? { amount: evidence.unplayed } : null],
    ['SLIPS_REFUSED', 'risk.slipPoints', counted(evidence.refusedSlips, get('risk.slips'))],
    ['PAID_TWICE', 'risk.paidTwicePoints', contradicted(evidence.contradicted)],
    ['BONUS_HOPPING', 'risk.bonusPoints', counted(evidence.quickWithdrawals, get('risk.bonuses'))],
    [
      'SUDDEN_STAKES',
      'risk.stakePoints',
      aboveUsual(stakes, get('risk.stakeTimes'), least('risk.stakeLeast')),
    ],
    ['MANY_NETWORKS', 'risk.networkPoints', counted(evidence.networks, get('risk.networks'))],
    [
      'UNUSUAL_AMOUNT',
      'risk.amountPoints',
      aboveUsual(amounts, get('risk.amountTimes'), least('risk.amountLeast')),
    ],
  ];
}

/** The score of what is known, 0 to 100: the sum of the points of its parts, which stand highest first. */
export function scoreOf(
  evidence: RiskEvidence,
  currency: Currency,
  get: ReadSetting,
): { score: number; parts: RiskPart[] } {
  const parts = find(evidence, currency, get).flatMap(([code, setting, found]) => {
    const points = get(setting);
    return found && points > 0 ? [{ ...NO_FIGURES, code, points, ...found }] : [];
  });
  const score = Math.min(
    SCORE_MAX,
    parts.reduce((sum, { points }) => sum + points, 0),
  );
  return { score, parts: parts.toSorted((a, b) => b.points - a.points) };
}

export type Outcome = 'pass' | 'review' | 'held';

/** What the thresholds make of a score. */
export function outcomeOf(score: number, get: ReadSetting): Outcome {
  if (score >= get('risk.holdScore')) return 'held';
  return score >= get('risk.reviewScore') ? 'review' : 'pass';
}

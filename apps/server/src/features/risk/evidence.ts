import { DAY_MS } from '@krapao/contract/durations';
import { batched } from '../../platform/batched.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { type EvidenceRow, readEvidence } from './evidence-queries.ts';

/**
 * What is known of a member when a score is computed, whether it gives points or not; amounts in minor units. It is
 * stored with each withdrawal, so that other settings can be tried on it later.
 */
export interface RiskEvidence {
  accountMembers: string[];
  deviceMembers: string[];
  addressMembers: string[];
  ringMembers: string[];
  /** Within 7 days. */
  refusedSlips: number;
  /** Withdrawn unstaked within 7 days, this withdrawal included. */
  unplayed: number;
  /** `withdrawal:` or `transfer:` and its id: the partner executed it although the wallet had the money back. */
  contradicted: string | null;
  /** Bonuses of 30 days that were followed by a withdrawal within an hour, this withdrawal included. */
  quickWithdrawals: number;
  /** Taken into games within 24 hours, and on an average day with play before; how many such days there were. */
  staked: number;
  stakedUsual: number;
  stakedDays: number;
  /** The most networks of different sites logged in from within one hour, within 7 days. */
  networks: number;
  /** Of this withdrawal; null when the score is a member's. */
  amount: number | null;
  /** The middle one of the withdrawals paid within 90 days, and how many there were. */
  paidUsual: number;
  paid: number;
}

const NOTHING: RiskEvidence = {
  accountMembers: [],
  deviceMembers: [],
  addressMembers: [],
  ringMembers: [],
  refusedSlips: 0,
  unplayed: 0,
  contradicted: null,
  quickWithdrawals: 0,
  staked: 0,
  stakedUsual: 0,
  stakedDays: 0,
  networks: 0,
  amount: null,
  paidUsual: 0,
  paid: 0,
};

/** The withdrawal that is about to be made, minor units. */
export interface RequestedWithdrawal {
  amountMinor: bigint;
  unplayedMinor: bigint;
}

const evidenceOf = (row: EvidenceRow, requested: RequestedWithdrawal | null): RiskEvidence => ({
  accountMembers: row.account_members ?? [],
  deviceMembers: row.device_members ?? [],
  addressMembers: row.address_members ?? [],
  ringMembers: row.ring_members ?? [],
  refusedSlips: row.refused_slips ?? 0,
  unplayed: Number((row.unplayed ?? 0n) + (requested?.unplayedMinor ?? 0n)),
  contradicted: row.contradicted,
  quickWithdrawals: (row.quick_withdrawals ?? 0) + (requested && row.bonus_just_ended ? 1 : 0),
  staked: Number(row.staked),
  stakedUsual: Number(row.staked_usual),
  stakedDays: row.staked_days ?? 0,
  networks: row.networks ?? 0,
  amount: requested && Number(requested.amountMinor),
  paidUsual: Number(row.paid_usual),
  paid: row.paid ?? 0,
});

/** What is stored of it: only what is not nothing, since most members give little cause. */
export const withoutNothing = (evidence: RiskEvidence): Partial<RiskEvidence> =>
  Object.fromEntries(
    Object.entries(evidence).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(NOTHING[name as keyof RiskEvidence]),
    ),
  );

export const fromStored = (stored: Record<string, unknown>): RiskEvidence => ({ ...NOTHING, ...stored });

/**
 * Returns the function that reads what is known of a member; concurrent calls share one statement, which is sent while
 * `requested` is still being found.
 */
export function createReadEvidence(deps: {
  pool: Pool;
  clock: Clock;
}): (memberId: bigint, requested: Promise<RequestedWithdrawal> | null) => Promise<RiskEvidence> {
  const read = batched<bigint, EvidenceRow>((memberIds) => {
    const now = deps.clock.now();
    const back = (days: number) => new Date(now.getTime() - days * DAY_MS);
    return readEvidence(deps.pool, memberIds, { now, week: back(7), month: back(30), quarter: back(90) });
  });
  return async (memberId, requested) => {
    const [row, withdrawal] = await Promise.all([read(memberId), requested]);
    return evidenceOf(row, withdrawal);
  };
}

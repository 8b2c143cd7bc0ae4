import type { Db, RowOf } from '../../platform/database/db.ts';

const EVIDENCE =
  `select account_members, device_members, address_members, ring_members, refused_slips, unplayed,
  contradicted, quick_withdrawals, bonus_just_ended, staked, staked_usual, staked_days, networks, paid, paid_usual
from risk_evidence($1, $2, $3, $4, $5)` as const;

export type EvidenceRow = RowOf<typeof EVIDENCE>;

/** Returns one row per member, in the order of `memberIds`. */
export async function readEvidence(
  db: Db,
  memberIds: readonly bigint[],
  since: { now: Date; week: Date; month: Date; quarter: Date },
): Promise<EvidenceRow[]> {
  const values = [memberIds, since.now, since.week, since.month, since.quarter] as const;
  return (await db.query(EVIDENCE, values)).rows;
}

import type { Pool } from '../../platform/database/db.ts';
import { findExclusion } from '../limits/read.ts';
import { findCoolingAccount } from './queries.ts';

interface Flag {
  kind: 'EXCLUDED' | 'NEW_ACCOUNT';
  /** Until when; null: for good. */
  at: string | null;
}

/** What stops money of a member for a while: an exclusion they chose, and a bank account in its cooling-off period. */
export async function listMemberFlags(pool: Pool, memberId: bigint, now: Date): Promise<Flag[]> {
  const [exclusion, coolUntil] = await Promise.all([
    findExclusion(pool, memberId, now),
    findCoolingAccount(pool, memberId, now),
  ]);
  return [
    ...(exclusion ? [{ kind: 'EXCLUDED' as const, at: exclusion.until?.toISOString() ?? null }] : []),
    ...(coolUntil ? [{ kind: 'NEW_ACCOUNT' as const, at: coolUntil.toISOString() }] : []),
  ];
}

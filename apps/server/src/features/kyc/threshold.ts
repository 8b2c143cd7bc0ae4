import { DAY_MS } from '@krapao/contract/durations';
import { type Currency, toMinor } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Settings } from '../../platform/settings.ts';
import { readProven } from './queries.ts';

/**
 * Returns from which amount, minor units, a withdrawal now waits for review because the identity of the member is not
 * proven: `withdraw.verifiedFrom` less what they withdrew in 24 hours, 0 at least. Null: no amount does.
 */
export async function verifyFromMinor(
  { pool, clock, settings }: { pool: Pool; clock: Clock; settings: Settings },
  member: { id: bigint; currency: Currency },
): Promise<bigint | null> {
  const limit = toMinor(settings.get('withdraw.verifiedFrom')[member.currency], member.currency) ?? 0n;
  if (limit === 0n) return null;
  const since = new Date(clock.now().getTime() - DAY_MS);
  const { is_verified, withdrawn } = await readProven(pool, member.id, since);
  if (is_verified) return null;
  return withdrawn < limit ? limit - withdrawn : 0n;
}

import { DAY_MS } from '@krapao/contract/durations';
import { type Currency, fromMinor, toMinor } from '@krapao/contract/shared';
import { BANK_CURRENCY } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Settings } from '../../platform/settings.ts';
import { sumAutomatic } from './queries.ts';

/**
 * The most that is paid without a review, in major units: never what needs a second approval, with any limit,
 * and nothing in a currency that no bank of ours pays.
 */
const automaticMax = (settings: Settings, currency: Currency): number =>
  currency === BANK_CURRENCY
    ? Math.min(settings.get('withdraw.automaticMax')[currency], settings.get('desk.withdrawalMax')[currency])
    : 0;

/** {@link automaticMax} in minor units. */
export const automaticMaxMinor = (settings: Settings, currency: Currency): bigint =>
  toMinor(automaticMax(settings, currency), currency) ?? 0n;

/**
 * The most that is paid to the member without a review now, in major units: what is left of the limit over 24 hours too;
 * 0 when that is less than the least withdrawal.
 */
export async function readAutomaticMax(
  { pool, settings, clock }: { pool: Pool; settings: Settings; clock: Clock },
  { id, currency }: { id: bigint; currency: Currency },
): Promise<number> {
  const most = automaticMax(settings, currency);
  if (most === 0) return 0;
  const paidMinor = await sumAutomatic(pool, id, new Date(clock.now().getTime() - DAY_MS));
  const left = settings.get('withdraw.automaticDayMax')[currency] - fromMinor(paidMinor, currency);
  const now = Math.min(most, left);
  return now < settings.get('withdraw.minimum')[currency] ? 0 : now;
}

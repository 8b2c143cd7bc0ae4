import { type Currency, toMinor } from '@krapao/contract/shared';
import { BANK_CURRENCY } from '../../outside/index.ts';
import type { Settings } from '../../platform/settings.ts';

/**
 * The most that is paid without a review, in major units: never what needs a second approval, with any limit,
 * and nothing in a currency that no bank of ours pays.
 */
export const automaticMax = (settings: Settings, currency: Currency): number =>
  currency === BANK_CURRENCY
    ? Math.min(settings.get('withdraw.automaticMax')[currency], settings.get('desk.withdrawalMax')[currency])
    : 0;

/** {@link automaticMax} in minor units. */
export const automaticMaxMinor = (settings: Settings, currency: Currency): bigint =>
  toMinor(automaticMax(settings, currency), currency) ?? 0n;

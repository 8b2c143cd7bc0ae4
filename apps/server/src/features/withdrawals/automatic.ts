import type { Currency } from '@krapao/contract/shared';
import { BANK_CURRENCY } from '../../outside/index.ts';
import type { Settings } from '../../platform/settings.ts';

/**
 * The most that is paid without an operator's look, in wallet currency: never what two operators must agree to,
 * whatever the limit says, and nothing in a currency no bank of ours can pay.
 */
export const automaticMax = (settings: Settings, currency: Currency): number =>
  currency === BANK_CURRENCY
    ? Math.min(settings.get('withdraw.automaticMax')[currency], settings.get('desk.withdrawalMax')[currency])
    : 0;

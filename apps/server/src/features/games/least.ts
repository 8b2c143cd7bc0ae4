import { costUp, creditsCovering } from '@krapao/contract/credits';
import { CURRENCY_DECIMALS, type Currency } from '@krapao/contract/shared';
import type { GameDeps } from './move.ts';
import type { AccountRow, SlotRow } from './queries.ts';

interface Place {
  slot: SlotRow;
  account: Pick<AccountRow, 'rate_micro'>;
}

type Providers = Pick<GameDeps, 'providerOf'>;

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** What the fewest credits that a game takes at once cost, in minor units: its own limit in steps of the provider. */
export function leastInto(deps: Providers, currency: Currency, { slot, account }: Place): bigint {
  const step = 10n ** BigInt(2 - deps.providerOf(slot).capabilities.creditDecimals);
  const wanted = larger(slot.least_in ?? 0n, step);
  return costUp(((wanted + step - 1n) / step) * step, account.rate_micro, currency);
}

/**
 * The least amount in minor units that can be moved between two places (null: the wallet): one unit of the currency, what
 * the destination takes at least, and what the source can give of that in credits the provider moves.
 */
export function leastMinor(
  deps: Providers,
  currency: Currency,
  { from, to }: { from: Place | null; to: Place | null },
): bigint {
  const unit = 10n ** BigInt(CURRENCY_DECIMALS[currency]);
  const arriving = to ? larger(unit, leastInto(deps, currency, to)) : 1n;
  if (!from) return larger(unit, arriving);
  const { creditDecimals } = deps.providerOf(from.slot).capabilities;
  const { rate_micro } = from.account;
  const credits = creditsCovering(arriving, rate_micro, currency, creditDecimals);
  return larger(unit, costUp(credits, rate_micro, currency));
}

import type { LedgerItem, SavedResponse } from '../../ledger/index.ts';
import { keysOf } from '../bonuses/read.ts';

interface Redemption {
  /** Tells tries apart: a refused one keeps no reference. */
  tryId: string;
  couponId: string;
  memberId: bigint;
  at: Date;
  /** The coins it gives, and between which accounts; null: an item that operators deliver. */
  coins: { amount: bigint; issue: bigint; account: bigint } | null;
  saved: SavedResponse | undefined;
}

/** Redeems a coupon for coins or for an item; a coupon for money is redeemed by the start of its bonus run. */
export const couponRedemptionItem = (given: Redemption): LedgerItem => {
  const { tryId, couponId, memberId, at, coins, saved } = given;
  return {
    reference: `coupon:${couponId}:${tryId}`,
    kind: 'coin_coupon',
    memberId,
    legs: coins ? [{ from: coins.issue, to: coins.account, amountMinor: coins.amount }] : [],
    attached: { name: 'coupon_redemption', row: { couponId, memberId, at } },
    ...(saved ? { saved } : {}),
    exclusive: keysOf(memberId),
  };
};

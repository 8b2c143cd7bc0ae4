import { DAY_MS } from '@krapao/contract/durations';
import type { LedgerItem, SavedResponse } from '../../ledger/index.ts';
import type { SliceRow, TurningWheel } from './queries.ts';

interface Spin {
  id: string;
  couponId: string;
  at: Date;
  member: { id: bigint; coinAccount: bigint };
  /** The account that takes spent coins. */
  spent: bigint;
  wheel: Pick<TurningWheel, 'id' | 'version' | 'cost_per_spin'>;
  /** The slice that was drawn, and the weights it was drawn by. */
  slice: SliceRow;
  weights: readonly number[];
  saved: SavedResponse | undefined;
}

/** Takes the coins of one spin and writes what was drawn. Spins for the last of a prize never meet in a batch. */
export const spinItem = ({
  id,
  couponId,
  at,
  member,
  spent,
  wheel,
  slice,
  weights,
  saved,
}: Spin): LedgerItem => ({
  reference: `spin:${id}`,
  kind: 'coin_spin',
  memberId: member.id,
  legs: [{ from: member.coinAccount, to: spent, amountMinor: BigInt(wheel.cost_per_spin) }],
  watch: member.coinAccount,
  attached: {
    name: 'spin',
    row: {
      id,
      memberId: member.id,
      wheelId: wheel.id,
      version: wheel.version,
      position: slice.position,
      cost: wheel.cost_per_spin,
      weights: `{${weights.join(',')}}`,
      couponId,
      expiresAt: new Date(at.getTime() + (slice.coupon_days ?? 0) * DAY_MS),
    },
  },
  ...(saved ? { saved } : {}),
  exclusive: slice.left === null ? [] : [`stock of ${slice.prize_id}`],
});

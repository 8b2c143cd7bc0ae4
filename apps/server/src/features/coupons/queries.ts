import type { PrizeKind } from '@krapao/contract/prizes';
import type { Currency, LocalizedText } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** What a coupon is worth; minor units of its currency, coins for COIN. */
export interface PrizeRow {
  id: bigint;
  currency: Currency;
  kind: PrizeKind;
  name: LocalizedText;
  value: bigint;
  success_percent: number;
  fail_percent: number;
  turnover_percent: number;
  games: Record<string, number> | null;
  withdraw_max: bigint | null;
  run_days: number;
  withdrawn_at: Date | null;
}

const PRIZE = `p.id, p.currency, p.kind, p.name, p.value, p.success_percent, p.fail_percent, p.turnover_percent, p.games,
  p.withdraw_max, p.run_days, p.withdrawn_at`;

export interface RedeemableRow extends PrizeRow {
  count: number;
  /** Of the one that expires first. */
  expires_at: Date;
  slice_code: string | null;
}

/** What a member can redeem, one row for each prize that is not withdrawn, the one that expires first on top. */
export async function listRedeemable(db: Db, memberId: bigint, now: Date): Promise<RedeemableRow[]> {
  const result = await db.query(
    `select ${PRIZE}, c.count, c.expires_at, c.slice_code from prize p join (
       select prize_id, count(*)::int as count, min(expires_at) as expires_at,
         (array_agg(slice_code order by expires_at, id))[1] as slice_code
       from coupon where member_id = $1 and state = 'OPEN' and expires_at > $2 group by prize_id) c on c.prize_id = p.id
     where p.withdrawn_at is null order by c.expires_at, p.id`,
    [memberId, now],
  );
  return result.rows;
}

/** How many coupons a member can redeem, of prizes that are not withdrawn. */
export async function countRedeemable(db: Db, memberId: bigint, now: Date): Promise<number> {
  const result = await db.query(
    `select count(*)::int as count from coupon c join prize p on p.id = c.prize_id
     where c.member_id = $1 and c.state = 'OPEN' and c.expires_at > $2 and p.withdrawn_at is null`,
    [memberId, now],
  );
  return result.rows[0]!.count;
}

export interface RedemptionRow extends PrizeRow {
  /** The coupon to redeem: of those open and not expired the one that expires first. */
  coupon_id: string | null;
  /** One was left to expire. */
  has_expired: boolean;
}

/** What a member has of a prize; undefined when they never had a coupon for it. */
export async function findRedemption(
  db: Db,
  memberId: bigint,
  prizeId: bigint,
  now: Date,
): Promise<RedemptionRow | undefined> {
  const result = await db.query(
    `select ${PRIZE},
       (select c.id from coupon c where c.member_id = $1 and c.prize_id = p.id and c.state = 'OPEN' and c.expires_at > $3
         order by c.expires_at, c.id limit 1) as coupon_id,
       exists (select 1 from coupon c where c.member_id = $1 and c.prize_id = p.id and c.state = 'OPEN' and c.expires_at <= $3) as has_expired
     from prize p where p.id = $2 and exists (select 1 from coupon c where c.member_id = $1 and c.prize_id = p.id)`,
    [memberId, prizeId, now],
  );
  return result.rows[0];
}

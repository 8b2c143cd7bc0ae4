import type { PrizeKind } from '@krapao/contract/prizes';
import type { Currency, LocalizedText } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';

/** What a coupon is worth; minor units of its currency, coins for COIN. */
export interface PrizeColumns {
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
  coupon_days: number;
}

/** Adds a prize, or finds the one of the same fingerprint. */
export async function insertPrize(
  tx: PoolClient,
  prize: PrizeColumns,
  fingerprint: string,
  now: Date,
): Promise<bigint> {
  await tx.query(
    `insert into prize (currency, kind, name, value, success_percent, fail_percent, turnover_percent, games, withdraw_max,
       run_days, coupon_days, fingerprint, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (fingerprint) do nothing`,
    [
      prize.currency,
      prize.kind,
      JSON.stringify(prize.name),
      prize.value,
      prize.success_percent,
      prize.fail_percent,
      prize.turnover_percent,
      prize.games && JSON.stringify(prize.games),
      prize.withdraw_max,
      prize.run_days,
      prize.coupon_days,
      fingerprint,
      now,
    ],
  );
  const found = await tx.query('select id from prize where fingerprint = $1', [fingerprint]);
  return found.rows[0]!.id;
}

export interface ListedPrize extends PrizeColumns {
  id: bigint;
  given: number;
  open: number;
  redeemed: number;
  is_withdrawn: boolean;
}

const PRIZE = `p.id, p.currency, p.kind, p.name, p.value, p.success_percent, p.fail_percent, p.turnover_percent, p.games,
  p.withdraw_max, p.run_days, p.coupon_days, p.withdrawn_at is not null as is_withdrawn`;

/** Prizes, newest first, with how many coupons there are of each; where there are too many, those that can be redeemed. */
export async function listPrizes(db: Db, now: Date): Promise<ListedPrize[]> {
  const result = await db.query(
    `select ${PRIZE},
       (select coalesce(sum(k.given), 0)::int from coupon_count k where k.prize_id = p.id) as given,
       (select count(*)::int from coupon c where c.prize_id = p.id and c.state = 'OPEN' and c.expires_at > $1) as open,
       (select coalesce(sum(k.redeemed), 0)::int from coupon_count k where k.prize_id = p.id) as redeemed
     from prize p where p.id = any(array(
       select l.id from prize l
       order by coalesce((select max(c.expires_at) from coupon c where c.prize_id = l.id and c.state = 'OPEN') > $1, false) desc,
         l.id desc
       limit 500))
     order by p.id desc`,
    [now],
  );
  return result.rows;
}

export async function findPrize(
  db: Db,
  id: string,
): Promise<(PrizeColumns & { id: bigint; is_withdrawn: boolean }) | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const result = await db.query(`select ${PRIZE} from prize p where p.id = $1`, [id]);
  return result.rows[0];
}

/** Bars redeeming a prize's coupons, or allows it again; false when that was so before. */
export async function setWithdrawn(db: Db, id: bigint, at: Date | null): Promise<boolean> {
  const sql =
    'update prize set withdrawn_at = $2 where id = $1 and (withdrawn_at is null) = ($2::timestamptz is not null)';
  return (await db.query(sql, [id, at])).rowCount === 1;
}

/** How many coupons of a prize can still be redeemed, leaving aside whether the prize is withdrawn. */
export async function countOpen(db: Db, id: bigint, now: Date): Promise<number> {
  const sql =
    "select count(*)::int as open from coupon where prize_id = $1 and state = 'OPEN' and expires_at > $2";
  return (await db.query(sql, [id, now])).rows[0]!.open;
}

/** Who holds coupons of a prize that can still be redeemed, leaving aside whether the prize is withdrawn, and how many. */
export async function listHolders(
  db: Db,
  id: bigint,
  now: Date,
): Promise<{ member_id: bigint; open: number }[]> {
  const sql = `select member_id, count(*)::int as open from coupon
    where prize_id = $1 and state = 'OPEN' and expires_at > $2 group by member_id`;
  return (await db.query(sql, [id, now])).rows;
}

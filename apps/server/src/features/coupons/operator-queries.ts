import type { PrizeKind } from '@krapao/contract/prizes';
import type { Currency } from '@krapao/contract/shared';
import { type Db, type PoolClient, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { oneOrSeveral } from '../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  type Slice,
  textKey,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';
import type { PrizeColumns } from './prize-queries.ts';

export type CouponState = 'OPEN' | 'CLAIMED' | 'EXPIRED' | 'REVOKED' | 'TO_DELIVER' | 'DELIVERED';

export interface ListedCoupon extends Pick<PrizeColumns, 'currency' | 'kind' | 'name' | 'value'> {
  id: string;
  member_id: bigint;
  member_name: string;
  prize_id: bigint;
  slice_code: string | null;
  batch_id: string | null;
  operator: string | null;
  state: CouponState;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  delivered_at: Date | null;
  run_id: string | null;
}

export interface CouponFilter {
  /** Id or phone. */
  member: string | null;
  prizeId: string | null;
  batch: string | null;
  kinds: readonly PrizeKind[] | null;
  states: readonly CouponState[] | null;
  from: Date | null;
  to: Date | null;
}

const STATE = `case when c.state = 'OPEN' and c.expires_at <= $1 then 'EXPIRED'
  when c.state = 'CLAIMED' and p.kind = 'ITEM' then case when c.delivered_at is null then 'TO_DELIVER' else 'DELIVERED' end else c.state end`;
const FROM = `coupon c join prize p on p.id = c.prize_id join member m on m.id = c.member_id
  left join coupon_batch b on b.id = c.batch_id left join operator o on o.id = b.operator_id`;
const OF_MEMBER = `c.member_id in (select x.id from member x where x.phone = $2
    union all select case when $2 ~ '^[0-9]{1,18}$' then $2::bigint end)`;
/** What wanted states say of the columns alone, so that indexes serve them; STATE decides. */
const STATE_ROWS = `($9::text[] is null or c.state = any($9)) and ($10::text is null or c.state = $10)
  and ($11::text is distinct from 'OPEN' or c.expires_at > $1) and ($11::text is distinct from 'EXPIRED' or c.expires_at <= $1)`;
const WHERE =
  `($2::text is null or ${OF_MEMBER}) and ($3::bigint is null or c.prize_id = $3) and ($4::text is null or c.batch_id = $4)
  and ($5::text[] is null or p.kind = any($5)) and ($6::text[] is null or ${STATE} = any($6)) and ${STATE_ROWS}
  and ($7::timestamptz is null or c.created_at >= $7) and ($8::timestamptz is null or c.created_at < $8)` as const;
const ORDERS = { createdAt: timeKey('c.created_at'), expiresAt: timeKey('c.expires_at') } as const;
/** What the list is ordered by. */
export const COUPON_KEYS = { orders: ORDERS, id: textKey('c.id') };

/** The states that the table has instead of these. */
const STORED: Partial<Record<CouponState, CouponState>> = {
  EXPIRED: 'OPEN',
  TO_DELIVER: 'CLAIMED',
  DELIVERED: 'CLAIMED',
};

function valuesOf(now: Date, filter: CouponFilter) {
  const states = filter.states && [...new Set(filter.states.map((state) => STORED[state] ?? state))];
  const stored = oneOrSeveral(states);
  return [
    now,
    filter.member,
    filter.prizeId,
    filter.batch,
    filter.kinds,
    filter.states,
    filter.from,
    filter.to,
    stored.several,
    stored.one,
    oneOrSeveral(filter.states).one,
  ] as const;
}

/** A page of coupons by filter, and count and worth of those that fit it, of `counted` at the most; coins and items are only counted. */
export async function listCoupons(
  db: Reads,
  now: Date,
  filter: CouponFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<ListedCoupon>[]; sums: { currency: Currency; count: number; amount: bigint }[] }> {
  const values = valuesOf(now, filter);
  const page = keysetSql(
    {
      select: `select c.id, c.member_id, m.name as member_name, c.prize_id, p.currency, p.kind, p.name, p.value, c.slice_code, c.batch_id,
         o.name as operator, ${STATE} as state, c.created_at, c.expires_at, c.ended_at, c.delivered_at, c.run_id`,
      from: `${FROM} where ${WHERE}`,
      ...COUPON_KEYS,
      parameters: ['$12', '$13', '$14'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, coalesce(sum(value) filter (where kind <> 'COIN'), 0)::bigint as amount
       from (select p.currency, p.value, p.kind from coupon c join prize p on p.id = c.prize_id where ${WHERE} limit $12) found
       group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportCoupons = (now: Date, filter: CouponFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select c.id, c.member_id, m.name as member, p.kind, p.name->>'th' as prize, p.currency,
      case p.kind when 'COIN' then p.value else ${moneySql('p.value', 'p.currency')} end as value, ${STATE} as state,
      c.slice_code as slice, c.batch_id as batch, o.name as given_by, ${timeSql('c.created_at')} as created_at,
      ${timeSql('c.expires_at')} as expires_at, ${timeSql('c.ended_at')} as ended_at, ${timeSql('c.delivered_at')} as delivered_at, c.run_id as run
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 'c.id')}`),
    valuesOf(now, filter),
    'id',
  );

/** A batch under its maker's key; null when there is one already. */
export async function insertBatch(
  tx: PoolClient,
  batch: {
    id: string;
    prizeId: bigint;
    operatorId: bigint;
    key: string;
    reason: string;
    approvalId: string | null;
    now: Date;
  },
): Promise<boolean> {
  const result = await tx.query(
    `insert into coupon_batch (id, prize_id, operator_id, key, reason, approval_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (operator_id, key) where key is not null do nothing`,
    [batch.id, batch.prizeId, batch.operatorId, batch.key, batch.reason, batch.approvalId, batch.now],
  );
  return result.rowCount === 1;
}

/** A batch under its maker's key, with how many coupons it gave. */
export async function findBatch(
  db: Db,
  operatorId: bigint,
  key: string,
): Promise<{ id: string; prize_id: bigint; members: string[] } | undefined> {
  const result = await db.query(
    `select b.id, b.prize_id, array(select c.member_id::text from coupon c where c.batch_id = b.id order by 1) as members
     from coupon_batch b where b.operator_id = $1 and b.key = $2`,
    [operatorId, key],
  );
  return result.rows[0];
}

/** Writes the coupons of a batch, and tells the screens of their members. */
export async function insertCoupons(
  tx: PoolClient,
  batch: { id: string; prizeId: bigint; now: Date; expiresAt: Date },
  coupons: readonly { id: string; memberId: bigint }[],
): Promise<void> {
  await tx.query(
    `with given as (insert into coupon (id, member_id, prize_id, batch_id, state, created_at, expires_at)
       select u.id, u.member_id, $3, $4, 'OPEN', $5, $6 from unnest($1::text[], $2::bigint[]) u(id, member_id)
       returning member_id, created_at)
     select coin_notice(member_id, created_at) from given`,
    [
      coupons.map(({ id }) => id),
      coupons.map(({ memberId }) => memberId),
      batch.prizeId,
      batch.id,
      batch.now,
      batch.expiresAt,
    ],
  );
}

const revokeSql = <const Which extends string>(which: Which) =>
  `with revoked as (
     update coupon set state = 'REVOKED', ended_at = $2 where ${which} and state = 'OPEN' returning id, member_id)
   select id, coin_notice(member_id, $2) from revoked` as const;

/** Takes unredeemed coupons back, these or those of a batch, and tells their members' screens; answers which. */
export async function revoke(
  tx: PoolClient,
  of: { ids: readonly string[] } | { batch: string },
  now: Date,
): Promise<string[]> {
  const result = await ('ids' in of
    ? tx.query(revokeSql('id = any($1)'), [of.ids, now])
    : tx.query(revokeSql('batch_id = $1'), [of.batch, now]));
  return result.rows.map((row) => row.id).toSorted();
}

/** The coupons of a batch. */
export async function listBatch(db: Db, batch: string): Promise<string[]> {
  const sql = 'select id from coupon where batch_id = $1 order by id';
  return (await db.query(sql, [batch])).rows.map((row) => row.id);
}

export interface ItemRow {
  id: string;
  member_id: bigint;
  kind: PrizeKind;
  name: PrizeColumns['name'];
  state: string;
  delivered_at: Date | null;
}

/** A coupon, locked until the transaction ends. */
export async function lockCoupon(tx: PoolClient, id: string): Promise<ItemRow | undefined> {
  const result = await tx.query(
    `select c.id, c.member_id, p.kind, p.name, c.state, c.delivered_at from coupon c join prize p on p.id = c.prize_id
     where c.id = $1 for update of c`,
    [id],
  );
  return result.rows[0];
}

export async function markDelivered(tx: PoolClient, id: string, now: Date): Promise<void> {
  await tx.query('update coupon set delivered_at = $2 where id = $1', [id, now]);
}

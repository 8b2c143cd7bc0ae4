import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** A member's day whose coins are to be reckoned; amounts in minor units. */
export interface CoinDayRow {
  member_id: bigint;
  /** YYYY-MM-DD in Bangkok. */
  day: string;
  deposited: bigint;
  unplayed: bigint;
  granted: bigint;
  /** The deposits that the granted coins were granted for, minor units; null: not recorded. */
  granted_for: bigint | null;
  turn: number;
  currency: Currency;
  coin_account: bigint;
  coins: bigint;
}

/** Days on which something has changed since they were last reckoned: of one member, or the first of all. */
export async function listOpenDays(db: Db, memberId: bigint | null): Promise<CoinDayRow[]> {
  const result = await db.query(
    `select d.member_id, d.day::text, d.deposited, d.unplayed, d.granted, d.granted_for, d.turn, m.currency, m.coin_account, a.balance as coins
     from coin_day d join member m on m.id = d.member_id join ledger_account a on a.id = m.coin_account
     where d.is_open and ($1::bigint is null or d.member_id = $1) order by d.member_id, d.day limit 500`,
    [memberId],
  );
  return result.rows;
}

/** Nothing has to be given or taken for a day as it was read. */
export async function closeDay(db: Db, row: CoinDayRow): Promise<void> {
  await db.query(
    `update coin_day set is_open = false
     where member_id = $1 and day = $2 and deposited = $3 and unplayed = $4 and turn = $5`,
    [row.member_id, row.day, row.deposited, row.unplayed, row.turn],
  );
}

export async function findHolder(
  db: Db,
  id: bigint,
): Promise<{ id: bigint; name: string; coin_account: bigint; coins: bigint } | undefined> {
  const result = await db.query(
    'select m.id, m.name, m.coin_account, a.balance as coins from member m join ledger_account a on a.id = m.coin_account where m.id = $1',
    [id],
  );
  return result.rows[0];
}

/** What an operator gave under a key. */
export async function findGrant(
  db: Db,
  operatorId: bigint,
  key: string,
): Promise<{ member_id: bigint; coins: bigint } | undefined> {
  const sql = 'select member_id, coins from coin_grant where operator_id = $1 and key = $2';
  return (await db.query(sql, [operatorId, key])).rows[0];
}

export interface PaidInRow {
  /** Paid in since the last withdrawal, minor units. */
  deposited: bigint;
  /**
   * Bets that were owed for what the last withdrawal left behind, all since `since` counted, and for what came back of
   * earlier ones after it.
   */
  owed: bigint;
  /** Since when bets count; null: nothing has to be bet. */
  since: Date | null;
  /** Everything the member has. */
  total: bigint;
  /** Money went into a game since. */
  has_played: boolean;
  wallet_version: bigint;
}

/**
 * Returns one row per member, in the order of `memberIds`: what they deposited since their last withdrawal, and the
 * stakes still owed from that withdrawal. One that was sent again counts from its first request, which judged only the
 * deposits before it. Of one that failed after a later one was requested, what was not bet is owed again: all of it when
 * that is not known. Nothing before `from` counts.
 */
export async function readPaidIn(db: Db, memberIds: readonly bigint[], from: Date): Promise<PaidInRow[]> {
  // Every withdrawal runs this: prepared once per connection.
  const result = await db.query({
    name: 'coins_paid_in',
    text: `select p.deposited, p.owed, p.since, case when p.since is null then 0 else member_total(t.id) end as total,
      p.since is not null and exists (select 1 from provider_transfer x
        where x.member_id = t.id and x.direction = 'IN' and x.created_at >= p.since) as has_played, a.version as wallet_version
    from unnest($1::bigint[]) with ordinality t(id, place)
    join ledger_account a on a.member_id = t.id and a.kind = 'wallet'
    cross join lateral (
      select d.deposited, coalesce(u.needed, 0) + f.unplayed as owed,
        least(d.since, u.since, case when f.unplayed > 0 then w.created_at end) as since from (select 1) one
      left join lateral (select w.id, w.created_at from withdrawal w where w.member_id = t.id and w.retry_of is null
          and (w.status <> 'FAILED' or withdrawal_sent_again(w.id))
        order by w.created_at desc, w.id desc limit 1) w on true
      left join withdrawal_unbet u on u.withdrawal_id = w.id and u.since > $2
      cross join lateral (select coalesce(sum(case n.amount when 0 then f.amount else n.amount end), 0)::bigint as unplayed
        from withdrawal f join withdrawal_unplayed n on n.withdrawal_id = f.id
        where f.member_id = t.id and f.status = 'FAILED' and f.created_at between $2 and w.created_at
          and f.updated_at > w.created_at and f.id <> w.id and not withdrawal_sent_again(f.id)) f
      cross join lateral (select coalesce(sum(d.amount), 0)::bigint as deposited, min(d.created_at) as since from deposit d
        where d.member_id = t.id and d.reversal_id is null and d.created_at > $2
          and d.created_at > coalesce(w.created_at, '-infinity')) d) p
    order by t.place`,
    values: [memberIds, from],
  });
  return result.rows;
}

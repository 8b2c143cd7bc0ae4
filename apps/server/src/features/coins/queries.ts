import type { Currency } from '@krapao/contract/shared';
import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

/** A member's day whose coins are to be reckoned; amounts in minor units. */
export interface CoinDayRow {
  member_id: bigint;
  /** YYYY-MM-DD in Bangkok. */
  day: string;
  deposited: bigint;
  unplayed: bigint;
  granted: bigint;
  turn: number;
  currency: Currency;
  coin_account: bigint;
  coins: bigint;
}

/** Days on which something has changed since they were last reckoned: of one member, or the first of all. */
export async function listOpenDays(db: Db, memberId: bigint | null): Promise<CoinDayRow[]> {
  const result = await db.query<CoinDayRow>(
    `select d.member_id, d.day::text, d.deposited, d.unplayed, d.granted, d.turn, m.currency, m.coin_account, a.balance as coins
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
  const result = await db.query<{ id: bigint; name: string; coin_account: bigint; coins: bigint }>(
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
  return (await db.query<{ member_id: bigint; coins: bigint }>(sql, [operatorId, key])).rows[0];
}

export interface PaidInRow {
  /** Paid in since the last withdrawal, minor units. */
  deposited: bigint;
  since: Date | null;
  /** Everything the member has. */
  total: bigint;
  /** Money went into a game since. */
  has_played: boolean;
}

/** What a member has paid in since he last withdrew, as far back as a moment. */
export async function readPaidIn(db: Db, memberId: bigint, from: Date): Promise<PaidInRow> {
  // Every withdrawal passes here while a wheel turns: planned once a connection.
  const result = await db.query<PaidInRow>({
    name: 'coins_paid_in',
    text: `select p.deposited, p.since, case when p.since is null then 0 else member_total($1) end as total,
      exists (select 1 from provider_transfer t where t.member_id = $1 and t.direction = 'IN' and t.created_at >= p.since) as has_played
    from (select coalesce(sum(d.amount), 0)::bigint as deposited, min(d.created_at) as since from deposit d
      where d.member_id = $1 and d.reversal_id is null and d.created_at > $2 and d.created_at > coalesce(
        (select max(w.created_at) from withdrawal w where w.member_id = $1 and w.status <> 'FAILED'), '-infinity')) p`,
    values: [memberId, from],
  });
  return result.rows[0]!;
}

/** Notes how much of a withdrawal that is about to be asked for was not bet. */
export async function insertUnplayed(db: Db, withdrawalId: string, amount: bigint): Promise<void> {
  await db.query('insert into withdrawal_unplayed (withdrawal_id, amount) values ($1, $2)', [
    withdrawalId,
    amount,
  ]);
}

/** The withdrawal was not made. */
export async function deleteUnplayed(db: Db, withdrawalId: string): Promise<void> {
  await db.query('delete from withdrawal_unplayed where withdrawal_id = $1', [withdrawalId]);
}

import type { Pool } from './database/db.ts';

/** The most rows of a table that one run takes. */
const RUN_MAX = 50;

/** Queries of a table whose released rows are watched. */
const watched = <const Table extends string, const Key extends string>(table: Table, key: Key) =>
  ({
    expire: `update ${table} set watched_since = null where watched_since <= now() - $1 * interval '1 day'`,
    take: `update ${table} set watch_asked_at = now() where ${key} in (
       select ${key} from ${table} t
       cross join lateral (select coalesce(t.watch_asked_at, t.watched_since) as asked_at) a
       where t.watched_since is not null
         and a.asked_at + least(greatest(a.asked_at - t.watched_since, interval '1 minute'), interval '6 hours') <= now()
       order by a.asked_at limit ${RUN_MAX} for update of t skip locked)
     returning ${key} as id`,
    end: `update ${table} set watched_since = null where ${key} = $1`,
  }) as const;

/** The tables whose released rows are watched, each by its key. */
const WATCHED = {
  payout: watched('payout', 'withdrawal_id'),
  provider_transfer: watched('provider_transfer', 'id'),
  gift_redemption: watched('gift_redemption', 'id'),
} as const;

type WatchedTable = keyof typeof WATCHED;

/**
 * Takes the released orders that are due for a query to the partner, each for one worker: a minute after the release
 * first, then each time as long again as the watch has lasted, at most 6 h apart. Ends the watches that are older than
 * `days`. Returns the keys of the rows taken, those waiting longest first.
 */
export async function takeWatched(pool: Pool, table: WatchedTable, days: number): Promise<string[]> {
  const { expire, take } = WATCHED[table];
  await pool.query(expire, [days]);
  const { rows } = await pool.query(take);
  return rows.map((row) => row.id);
}

/** Ends the watch of a released order, because the partner's response was reported to operators. */
export async function endWatch(pool: Pool, table: WatchedTable, id: string): Promise<void> {
  await pool.query(WATCHED[table].end, [id]);
}

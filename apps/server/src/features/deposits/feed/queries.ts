import type { Currency } from '@krapao/contract/shared';
import type { Pool } from '../../../platform/database/db.ts';

export interface FeedRow {
  deposit_account_id: bigint;
  bank_code: string;
  account_no: string;
  currency: Currency;
  started_at: Date;
  cursor: string | null;
}

/** Starts reading newly watched accounts from `now`, so that earlier transfers are not booked as deposits. */
export async function startFeeds(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `insert into bank_feed (deposit_account_id, started_at, heard_at)
     select id, $1, $1 from deposit_account where mode = 'AUTO' and bank_type in ('BANK', 'WALLET') and is_open on conflict do nothing`,
    [now],
  );
}

/** Leases the feeds that no instance reads, for a limited time on the database's clock. */
export async function takeFeeds(pool: Pool, takenMs: number): Promise<FeedRow[]> {
  const sql = `update bank_feed f set taken_until = now() + $1 * interval '1 millisecond' from deposit_account d
    where d.id = f.deposit_account_id and d.mode = 'AUTO' and d.is_open and f.taken_until < now()
    returning f.deposit_account_id, d.bank_code, d.account_no, d.currency, f.started_at, f.cursor`;
  return (await pool.query(sql, [takenMs])).rows;
}

/** Advances the cursor to where every statement line has been booked, unless another reader moved it. */
export async function moveCursor(
  pool: Pool,
  feed: FeedRow,
  to: { cursor: string; receivedAt: Date },
): Promise<void> {
  await pool.query(
    'update bank_feed set cursor = $2, heard_at = $3 where deposit_account_id = $1 and cursor is not distinct from $4',
    [feed.deposit_account_id, to.cursor, to.receivedAt, feed.cursor],
  );
}

/**
 * Alerts operators to a feed without a response since `silentSince`; one that has responded to another page or reader,
 * or whose account takes no deposits any more, opens no alert.
 */
export async function alertSilent(
  pool: Pool,
  feed: FeedRow,
  alert: { detail: string; silentSince: Date; now: Date },
): Promise<boolean> {
  const sql = `select alert_open('feed-silent', 'deposit-account:' || s.id, $2, $4) as opened
    from (select d.id from bank_feed f join deposit_account d on d.id = f.deposit_account_id
      where f.deposit_account_id = $1 and f.heard_at < $3 and d.is_open and d.mode = 'AUTO' for share) s`;
  return (
    (await pool.query(sql, [feed.deposit_account_id, alert.detail, alert.silentSince, alert.now])).rows[0]
      ?.opened === true
  );
}

export async function releaseFeed(pool: Pool, feed: FeedRow): Promise<void> {
  await pool.query("update bank_feed set taken_until = '-infinity' where deposit_account_id = $1", [
    feed.deposit_account_id,
  ]);
}

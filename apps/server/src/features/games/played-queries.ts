import type { Db } from '../../platform/database/db.ts';
import type { AccountRow } from './queries.ts';

type Account = Pick<AccountRow, 'member_id' | 'slot_code'>;

/** How far a member's bets in a game since a moment have been read: up to `until`, and what they staked in credits. */
export async function findPlayed(
  db: Db,
  { member_id, slot_code }: Account,
  since: Date,
): Promise<{ until: Date; turnover: bigint } | undefined> {
  const sql =
    'select until, turnover from game_played where member_id = $1 and slot_code = $2 and since = $3';
  return (await db.query(sql, [member_id, slot_code, since])).rows[0];
}

/** Stores the progress of a reading; one that came further stays. */
export async function savePlayed(
  db: Db,
  { member_id, slot_code }: Account,
  since: Date,
  { until, turnover, now }: { until: Date; turnover: bigint; now: Date },
): Promise<void> {
  await db.query(
    `insert into game_played (member_id, slot_code, since, until, turnover, read_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (member_id, slot_code, since) do update set until = excluded.until, turnover = excluded.turnover, read_at = excluded.read_at
     where game_played.until < excluded.until`,
    [member_id, slot_code, since, until, turnover, now],
  );
}

/** Deletes progress stored before a moment, so many rows at most; returns their number. */
export async function deletePlayed(db: Db, before: Date, count: number): Promise<number> {
  const result = await db.query(
    `delete from game_played where read_at < $1 and ctid = any(array(
       select ctid from game_played where read_at < $1 order by read_at limit $2))`,
    [before, count],
  );
  return result.rowCount ?? 0;
}

import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

export interface FlagRow {
  /** Until when the account he is paid to rests; null: it does not. */
  cool_until: Date | null;
  refused_slips: number;
  last_refused: Date | null;
  /** What was withdrawn with nothing taken into a game since it was paid in; null: no such withdrawal. */
  unplayed_amount: bigint | null;
  unplayed_at: Date | null;
  /** Other members who logged in from the same browser at the same address; the server's own machine is nobody's address. */
  sharing: number;
  last_shared: Date | null;
}

/** More others than this are not counted. */
const MOST_SHARING = 99;

/**
 * What of a member's last days deserves a look: slips refused and money withdrawn unplayed since `week`, logins since `month`.
 * Every part goes by an index of the member, so it costs the same however many members there are.
 */
export async function readFlags(
  db: Db,
  memberId: bigint,
  since: { now: Date; week: Date; month: Date },
): Promise<FlagRow> {
  const result = await db.query<FlagRow>(
    `select
       (select a.cool_until from bank_account a where a.member_id = $1 and a.status = 'ACTIVE' and a.cool_until > $2) as cool_until,
       s.refused_slips, s.last_refused, u.amount as unplayed_amount, u.created_at as unplayed_at, o.sharing, o.last_shared
     from (select count(*)::int as refused_slips, max(created_at) as last_refused from slip
       where member_id = $1 and created_at > $3 and status = 'FAILED') s
     left join lateral (
       select w.amount, w.created_at from withdrawal w
       cross join lateral (select d.created_at from deposit d
         where d.member_id = $1 and d.created_at > $3 and d.created_at <= w.created_at and d.reversal_id is null
         order by d.created_at desc limit 1) d
       where w.member_id = $1 and w.created_at > $3 and w.status <> 'FAILED' and not exists (
         select 1 from provider_transfer p where p.member_id = $1 and p.direction = 'IN' and p.state <> 'FAILED'
           and p.touched_at >= d.created_at and p.created_at <= w.created_at)
       order by w.created_at desc limit 1) u on true
     cross join lateral (
       select count(*)::int as sharing, max(f.at) as last_shared from (
         select x.member_id, max(x.created_at) as at
         from (select distinct address, user_agent from session where member_id = $1 and created_at > $4 and user_agent is not null
           and address not in ('127.0.0.1', '::1', '::ffff:127.0.0.1')) m
         join session x on x.address = m.address and hashtext(x.user_agent) = hashtext(m.user_agent) and x.user_agent = m.user_agent
           and x.created_at > $4 and x.member_id <> $1
         group by 1 limit $5) f) o`,
    [memberId, since.now, since.week, since.month, MOST_SHARING],
  );
  return result.rows[0]!;
}

import type { Db } from '../../platform/database/db.ts';

export interface FlagRow {
  /** Until when the account they are paid to rests; null: it does not. */
  cool_until: Date | null;
  refused_slips: number;
  last_refused: Date | null;
  /** What of the latest withdrawal was paid in and not staked (0: a provider does not tell); null: nothing of it. */
  unplayed_amount: bigint | null;
  unplayed_at: Date | null;
  /** Since when a payout of theirs is reported as paid although the money was given back; null: none. */
  contradicted_at: Date | null;
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
  const result = await db.query(
    `select
       (select a.cool_until from bank_account a where a.member_id = $1 and a.status = 'ACTIVE' and a.cool_until > $2) as cool_until,
       s.refused_slips, s.last_refused, u.amount as unplayed_amount, u.created_at as unplayed_at, c.opened_at as contradicted_at, o.sharing, o.last_shared
     from (select count(*)::int as refused_slips, max(created_at) as last_refused from slip
       where member_id = $1 and created_at > $3 and status = 'FAILED') s
     left join lateral (
       select p.amount, w.created_at from withdrawal w join withdrawal_unplayed p on p.withdrawal_id = w.id
       where w.member_id = $1 and w.created_at > $3 and w.status <> 'FAILED'
       order by w.created_at desc limit 1) u on true
     left join lateral (
       select a.opened_at from withdrawal w join alert a on a.subject = 'withdrawal:' || w.id
         and a.kind = 'payout-contradicts' and a.closed_at is null
       where w.member_id = $1 and w.created_at > $4 order by a.opened_at desc limit 1) c on true
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

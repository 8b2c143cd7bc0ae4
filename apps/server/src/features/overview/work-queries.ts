import type { WorkKind } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** One item of a queue that is unassigned or assigned to the caller. */
export interface WorkRow {
  id: string;
  title: string;
  amount: bigint | null;
  currency: Currency | null;
  since: Date;
  mine: boolean;
}

/** Whose items are listed. */
export interface WorkFilter {
  /** An assignment counts while it was touched after this. */
  assignedAfter: Date;
  operatorId: bigint;
  now: Date;
  /** The kinds of alerts, or the actions of requests, that the caller may deal with. */
  names: readonly string[];
}

/** How many items of one queue are looked at. */
const EACH = 20;
const assigned = <const Subject extends string>(subject: Subject) =>
  `left join assignment a on a.subject = ${subject} and a.touched_at > $1` as const;
const FREE = `(a.operator_id is null or a.operator_id = $2) and ($3::timestamptz is not null and $4::text[] is not null)`;
const MINE = 'coalesce(a.operator_id = $2, false) as mine';
const ORDER = `order by mine desc, since limit ${EACH}` as const;

/** What already waits for a second person is no next item. */
const unrequested = <const Subject extends string>(subject: Subject) =>
  `not exists (select from approval p where p.state = 'PENDING' and p.subject = ${subject} and p.lapses_at > $3)` as const;

/** A conversation is its team's; that of a team in which no operator may respond is everyone's. */
const OF_TEAM =
  `(c.team is null or exists (select from chat_team_member x where x.team = c.team and x.operator_id = $2)
  or not exists (select from chat_team_member x join operator o on o.id = x.operator_id join operator_role r on r.code = o.role
    where x.team = c.team and o.status = 'ACTIVE' and 'chat.answer' = any(r.permissions)))` as const;

/** One statement a queue, its own items first, then the oldest. */
const QUERIES = {
  withdrawals: `select w.id, m.name as title, w.amount, m.currency, w.created_at as since, ${MINE}
    from withdrawal w join member m on m.id = w.member_id ${assigned("'withdrawal:' || w.id")}
    where w.status = 'REVIEW' and ${FREE} and ${unrequested("'withdrawal:' || w.id")}
      and not exists (select from withdrawal_decision d where d.withdrawal_id = w.id) ${ORDER}`,
  unmatched: `select l.id::text as id, l.bank_reference as title, l.amount, l.currency, l.received_at as since, ${MINE}
    from bank_transaction l ${assigned("'unmatched:' || l.id")} where l.state = 'UNMATCHED' and ${FREE}
      and ${unrequested("'unmatched:' || l.id")} ${ORDER}`,
  reports: `select r.id, m.name as title, r.amount, m.currency, r.created_at as since, ${MINE}
    from payment_report r join member m on m.id = r.member_id ${assigned("'report:' || r.id")} where r.status = 'PENDING' and ${FREE}
      and ${unrequested("'report:' || r.id")} ${ORDER}`,
  slips: `select s.id, m.name as title, s.amount, s.currency, s.created_at as since, ${MINE}
    from slip s join member m on m.id = s.member_id ${assigned("'slip:' || s.id")} where s.status = 'REVIEW' and ${FREE} ${ORDER}`,
  kyc: `select k.member_id::text as id, m.name as title, null::bigint as amount, null::text as currency /* as member.currency */,
      k.submitted_at as since /* never null */, false as mine
    from kyc_check k join member m on m.id = k.member_id where k.state = 'SUBMITTED'
      and $1::timestamptz is not null and $2::bigint is not null and $3::timestamptz is not null and $4::text[] is not null ${ORDER}`,
  transfers: `select t.id, m.name as title, t.amount, m.currency, t.created_at as since, ${MINE}
    from provider_transfer t join member m on m.id = t.member_id ${assigned("'transfer:' || t.id")} where t.state = 'UNKNOWN' and ${FREE}
      and ${unrequested("'transfer:' || t.id")} ${ORDER}`,
  approvals: `select p.id, p.action as title, null::bigint as amount, null::text as currency /* as member.currency */, p.made_at as since, false as mine
    from approval p where p.state = 'PENDING' and p.lapses_at > $3 and p.maker_id is distinct from $2 and p.action = any($4) and $1::timestamptz is not null ${ORDER}`,
  chats: `select c.id::text as id, coalesce(m.name, '') as title, null::bigint as amount, m.currency, c.waiting_since as since, coalesce(c.assignee = $2, false) as mine
    from chat_conversation c left join member m on m.id = c.member_id
    where c.state = 'OPEN' and c.merged_into is null and c.waiting_since is not null and (c.snoozed_until is null or c.snoozed_until <= $3) and c.held_since is null
      and (c.assignee = $2 or (c.assignee is null and ${OF_TEAM})) and $1::timestamptz is not null and $4::text[] is not null ${ORDER}`,
  alerts: `select l.id::text as id, l.kind as title, null::bigint as amount, null::text as currency /* as member.currency */, l.opened_at as since, coalesce(l.assignee_id = $2, false) as mine
    from alert l where l.closed_at is null and l.kind = any($4) and (l.assignee_id is null or l.assignee_id = $2)
      and $1::timestamptz is not null and $3::timestamptz is not null ${ORDER}`,
} as const satisfies Record<WorkKind, string>;

/** The items of a queue that the caller has taken or may take. */
export async function listWork(db: Db, kind: WorkKind, filter: WorkFilter): Promise<WorkRow[]> {
  const { assignedAfter, operatorId, now, names } = filter;
  return (await db.query(QUERIES[kind], [assignedAfter, operatorId, now, names])).rows;
}

/** Sums of one hour of one day. */
export interface HourRow {
  day: number;
  hour: number;
  currency: Currency;
  came: bigint;
  went: bigint;
  came_by_now: bigint;
  went_by_now: bigint;
}

/**
 * Deposits and payments of today, yesterday and the same weekday a week ago by hour; `day` is how many days ago.
 * @param midnight of today in Bangkok
 */
export async function listHours(db: Db, midnight: Date, now: Date): Promise<HourRow[]> {
  const sql = `with day as (
      select d.ago, $1::timestamptz - d.ago * interval '1 day' as since, $2::timestamptz - d.ago * interval '1 day' as by_now from unnest(array[0, 1, 7]) d(ago)),
    moved as (
      select y.ago, e.created_at - y.since as into_day, m.currency, e.amount as came, 0::bigint as went, e.created_at < y.by_now as is_by_now
      from day y join deposit e on e.created_at >= y.since and e.created_at < y.since + interval '1 day' and e.reversal_id is null join member m on m.id = e.member_id
      union all
      select y.ago, w.updated_at - y.since, m.currency, 0, w.amount, w.updated_at < y.by_now
      from day y join withdrawal w on w.updated_at >= y.since and w.updated_at < y.since + interval '1 day' and w.status = 'SUCCESS' join member m on m.id = w.member_id
      where not exists (select from payout_return r where r.withdrawal_id = w.id))
    select ago as day, extract(hour from into_day)::int as hour, currency, coalesce(sum(came), 0)::bigint as came, coalesce(sum(went), 0)::bigint as went,
      coalesce(sum(came) filter (where is_by_now), 0)::bigint as came_by_now, coalesce(sum(went) filter (where is_by_now), 0)::bigint as went_by_now
    from moved group by 1, 2, 3`;
  return (await db.query(sql, [midnight, now])).rows;
}

import type { Db } from '../../platform/database/db.ts';
import { keysetValues, type Slice, timeKey } from '../../platform/http/cursor.ts';

export interface TimelineRow {
  id: string;
  at: Date;
  kind: string;
  what: string;
  state: string | null;
  amount: bigint | null;
  source: string | null;
  target: string | null;
  by: string | null;
  text: string | null;
  subject: string | null;
  cursor_value: string;
}

/** What the timeline is ordered by. */
export const TIMELINE_KEYS = {
  orders: { at: timeKey('x.at') },
  id: { column: 'x.id', type: 'text' },
} as const;

/** One source of rows: those behind the place of the cursor, no more than the page needs. */
const rowsOf = <
  const Kind extends string,
  const Id extends string,
  const At extends string,
  const Columns extends string,
  const From extends string,
  const Behind extends '<' | '>',
  const End extends ' desc' | '',
>(
  behind: Behind,
  end: End,
  part: { kind: Kind; id: Id; at: At; columns: Columns; from: From },
) =>
  `(select ${part.id} as id, ${part.at} as at, '${part.kind}' as kind, ${part.columns}
    from ${part.from} and '${part.kind}' = any($5::text[])
      and ($2::text is null or (${part.at}, ${part.id}) ${behind} ($2::text::timestamptz, $3::text))
    order by 2${end}, 1${end} limit $4)` as const;

/**
 * The same of a table whose rows are numbered by time, found by their numbers without sorting all of them. Times may
 * be a few rows out of step with numbers, where two servers wrote at once; so some more are read and sorted.
 */
const numberedRowsOf = <
  const Kind extends string,
  const Id extends string,
  const At extends string,
  const Columns extends string,
  const From extends string,
  const Number extends string,
  const Behind extends '<' | '>',
  const End extends ' desc' | '',
>(
  behind: Behind,
  end: End,
  part: { kind: Kind; id: Id; at: At; columns: Columns; from: From; number: Number },
) =>
  `(select y.* from (select ${part.id} as id, ${part.at} as at, '${part.kind}' as kind, ${part.columns}
    from ${part.from} and '${part.kind}' = any($5::text[])
      and ($2::text is null or (${part.at}, ${part.id}) ${behind} ($2::text::timestamptz, $3::text))
    order by ${part.number}${end} limit $4 + 50) y order by y.at${end}, y.id${end} limit $4)` as const;

/** Money of the statement, which has every movement once; `$1` is the member everywhere. */
const STATEMENT = {
  kind: 'money',
  id: "'money-' || lpad(s.number::text, 12, '0')",
  number: 's.number',
  at: 's.created_at',
  columns: `s.type as what, s.status as state, s.amount, s.source, s.target, null as by, null as text,
    case s.type when 'deposit' then 'deposit:' || s.id when 'withdraw' then 'withdrawal:' || s.id when 'transfer' then 'transfer:' || s.id end as subject`,
  from: 'statement s where s.member_id = $1',
} as const;
/** Slips that became no deposit; without the amount of one in another currency than the member's. */
const SLIP = {
  kind: 'money',
  id: "'slip-' || s.id",
  at: 's.created_at',
  columns: `'slip', s.status, case when s.currency = (select m.currency from member m where m.id = s.member_id) then s.amount end,
    null, null, null, null, 'slip:' || s.id`,
  from: "slip s where s.member_id = $1 and s.status <> 'SUCCESS'",
} as const;
const LOGIN = {
  kind: 'login',
  id: "'login-' || s.id",
  at: 's.created_at',
  columns: "'login', null, null::bigint, s.address, null, null, s.user_agent, null",
  from: 'session s where s.member_id = $1',
} as const;
const NOTE = {
  kind: 'note',
  id: "'note-' || n.id",
  at: 'n.written_at',
  columns: "'note', null, null::bigint, null, null, o.name, n.text, null",
  from: 'member_note n join operator o on o.id = n.operator_id where n.member_id = $1',
} as const;
/** Alerts about the member, their withdrawals, slips and transfers without a clear end, of the kinds the operator may see. */
const ALERT = {
  kind: 'alert',
  id: "'alert-' || a.id",
  at: 'a.opened_at',
  columns: 'a.kind, a.state, null::bigint, null, null, null, a.detail, a.subject',
  from: `(select 'member:' || $1::bigint as subject union all select 'withdrawal:' || w.id from withdrawal w where w.member_id = $1
      union all select 'slip:' || s.id from slip s where s.member_id = $1
      union all select 'transfer:' || p.id from provider_transfer p where p.member_id = $1 and p.state in ('UNKNOWN', 'FAILED')) u
    join alert a on a.subject = u.subject where a.kind = any($6::text[])`,
} as const;
const CHAT = {
  kind: 'chat',
  id: "'chat-' || s.id",
  at: 's.opened_at',
  columns: `'chat', case when s.ended_at is null then 'OPEN' else 'ENDED' end, null::bigint, null, null, o.name, null, 'chat:' || c.id`,
  from: `chat_conversation c join chat_session s on s.conversation_id = c.id left join operator o on o.id = s.operator_id where c.member_id = $1`,
} as const;
/** What the trail has of the member; notes stand for themselves. */
const CHANGE = {
  kind: 'change',
  id: "'change-' || lpad(a.id::text, 18, '0')",
  number: 'a.id',
  at: 'a.at',
  columns: 'a.action, null, null::bigint, null, null, a.actor, a.reason, null',
  from: "audit a where a.subject = 'member:' || $1::bigint and a.action <> 'member.note'",
} as const;

const COLUMNS = `select x.id, x.at, x.kind, x.what, x.state, x.amount, x.source, x.target, x.by, x.text, x.subject,
  (extract(epoch from x.at) * 1000000)::bigint::text as cursor_value`;
const NEWEST =
  `${COLUMNS} from (${numberedRowsOf('<', ' desc', STATEMENT)} union all ${rowsOf('<', ' desc', SLIP)} union all ${rowsOf('<', ' desc', LOGIN)} union all ${rowsOf('<', ' desc', NOTE)} union all ${rowsOf('<', ' desc', ALERT)} union all ${rowsOf('<', ' desc', CHAT)} union all ${numberedRowsOf('<', ' desc', CHANGE)}) x
  order by x.at desc, x.id desc limit $4` as const;
const OLDEST =
  `${COLUMNS} from (${numberedRowsOf('>', '', STATEMENT)} union all ${rowsOf('>', '', SLIP)} union all ${rowsOf('>', '', LOGIN)} union all ${rowsOf('>', '', NOTE)} union all ${rowsOf('>', '', ALERT)} union all ${rowsOf('>', '', CHAT)} union all ${numberedRowsOf('>', '', CHANGE)}) x
  order by x.at, x.id limit $4` as const;

/**
 * A page of everything that happened to a member. Each source gives at most as many rows as the page has.
 * @param kinds which kinds of rows are wanted
 * @param alertKinds the kinds of alerts the operator may see
 */
export async function listTimeline(
  db: Db,
  memberId: bigint,
  slice: Slice,
  { kinds, alertKinds }: { kinds: readonly string[]; alertKinds: readonly string[] },
): Promise<TimelineRow[]> {
  const sql = slice.readSort.startsWith('-') ? NEWEST : OLDEST;
  return (await db.query(sql, [memberId, ...keysetValues(slice), kinds, alertKinds])).rows;
}

export interface SharedRow {
  /** `account`, `device` or `network`. */
  kind: string;
  member_id: bigint;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  what: string | null;
  bank_code: string | null;
  account_no_sealed: Buffer | null;
  last_at: Date;
}

/**
 * Other members with a bank account of the member, now or formerly, and those who logged in from a small network of
 * theirs since a moment: with the same browser, or with another one.
 */
export async function listShared(db: Db, memberId: bigint, since: Date): Promise<SharedRow[]> {
  const result = await db.query(
    `with own as materialized (
       select n.network from (select s.network, max(s.created_at) as last_at from session s
         where s.member_id = $1 and s.created_at > $2 and s.network is not null group by 1 order by 2 desc limit 20) n
       where is_small_network(n.network, $2)),
     browser as (select distinct s.network, s.user_agent from session s
       where s.member_id = $1 and s.created_at > $2 and s.network in (select network from own) and s.user_agent is not null),
     login as (
       select o.member_id, o.network, max(o.created_at) as last_at,
         max(o.user_agent) filter (where exists (select from browser b where b.network = o.network and b.user_agent = o.user_agent)) as browser
       from own join session o on o.network = own.network and o.created_at > $2 and o.member_id <> $1 group by 1, 2)
     select f.kind, f.member_id, m.name, m.status, f.what, f.bank_code, f.account_no_sealed, f.last_at
     from (
       select distinct on (o.member_id) 'account' as kind, o.member_id, null as what, o.bank_code, o.account_no_sealed, o.created_at as last_at
       from bank_account a join bank_account o on o.bank_code = a.bank_code and o.account_no_fingerprint = a.account_no_fingerprint and o.member_id <> a.member_id
       where a.member_id = $1
       union all
       select distinct on (l.member_id) case when l.browser is null then 'network' else 'device' end, l.member_id, coalesce(l.browser, l.network), null, null, l.last_at
       from (select * from login order by member_id, browser is null, last_at desc) l) f
     join member m on m.id = f.member_id order by f.kind, f.last_at desc limit 100`,
    [memberId, since],
  );
  return result.rows;
}

import type { Currency, LocalizedText } from '@krapao/contract/shared';
import { type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { type ExportSource, moneySql } from '../../platform/http/export-file.ts';

/** Days as half-open times, and the first and last entry of the ledger in them. */
export interface Days {
  from: Date;
  to: Date;
  first: bigint;
  last: bigint;
}

/** Finds the entries of some days; a block range leads to them among years of others. */
export async function findEntries(pool: Reads, { from, to }: Pick<Days, 'from' | 'to'>): Promise<Days> {
  const sql = `with span as materialized (select id from ledger_entry where created_at >= $1 and created_at < $2)
    select coalesce(min(id), 0)::bigint as first, coalesce(max(id), -1)::bigint as last from span`;
  const { rows } = await pool.query(sql, [from, to]);
  return { from, to, ...rows[0]! };
}

/** Movements of system accounts, entry by entry. There are few such accounts, each ordered by entry. */
const MOVED = `select e.created_at, e.kind, p.entry_id, p.amount, a.kind as account, s.code as currency
  from ledger_account a join ledger_asset s on s.id = a.asset
  join ledger_posting p on p.account_id = a.id and p.entry_id between $3 and $4
  join ledger_entry e on e.id = p.entry_id and e.id between $3 and $4
  where a.member_id is null and e.created_at >= $1 and e.created_at < $2`;
const span = ({ from, to, first, last }: Days) => [from, to, first, last] as const;
const OUTSIDE = "(m.account like 'bank:%' or m.account = 'gift')";
const day = <const Column extends string>(column: Column) =>
  `(${column} at time zone 'Asia/Bangkok')::date::text` as const;

export interface CashRow {
  day: string;
  currency: Currency;
  deposits: bigint;
  unmatched: bigint;
  withdrawals: bigint;
  sent_back: bigint;
  came_back: bigint;
  net: bigint;
}

const sum = <const Sign extends '' | '-', const Kinds extends string>(sign: Sign, kinds: Kinds) =>
  `coalesce(sum(${sign}m.amount) filter (where ${kinds}), 0)::bigint` as const;
const CASH = `with moved as (${MOVED})
    select ${day('m.created_at')} as day, m.currency /* as member.currency */,
      ${sum('-', "m.kind like 'deposit\\_%' and m.kind <> 'deposit_unmatched'")} as deposits,
      ${sum('-', "m.kind = 'deposit_unmatched'")} as unmatched,
      ${sum('', "m.kind = 'withdrawal_paid'")} as withdrawals,
      ${sum('', "m.kind = 'unmatched_returned'")} as sent_back,
      ${sum('-', "m.kind = 'withdrawal_returned'")} as came_back,
      sum(-m.amount)::bigint as net
    from moved m where ${OUTSIDE} group by 1, 2 order by 1 desc, 2` as const;

/** Money received and paid at banks and the gift wallet. Received money is negative on a system account. */
export async function listCash(pool: Reads, days: Days): Promise<CashRow[]> {
  return (await pool.query(CASH, span(days))).rows;
}

export interface LedgerSumRow {
  currency: Currency;
  amount: bigint;
}

/** Sums movements of system accounts by kinds of account and entry; negative sums went to members. */
export async function sumMoved(
  pool: Reads,
  days: Days,
  wanted: { accounts: readonly string[]; kinds: readonly string[] },
): Promise<LedgerSumRow[]> {
  const sql = `with moved as (${MOVED})
    select m.currency /* as member.currency */, sum(m.amount)::bigint as amount from moved m
    where m.account like any($5) and m.kind like any($6) and m.currency <> 'COIN' group by 1 order by 1` as const;
  return (await pool.query(sql, [...span(days), wanted.accounts, wanted.kinds])).rows;
}

export interface ChannelRow {
  day: string;
  channel: string;
  currency: Currency;
  count: number;
  amount: bigint;
}

const CHANNELS =
  `select ${day('d.created_at')} as day, d.channel, m.currency, count(*)::int as count, sum(d.amount)::bigint as amount
    from deposit d join member m on m.id = d.member_id where d.created_at >= $1 and d.created_at < $2
    group by 1, 2, 3 order by 1 desc, 3, 2` as const;

/** Deposits as members were credited with them. */
export async function listByChannel(pool: Reads, { from, to }: Days): Promise<ChannelRow[]> {
  return (await pool.query(CHANNELS, [from, to])).rows;
}

export interface HourRow {
  hour: number;
  channel: string;
  currency: Currency;
  count: number;
  amount: bigint;
}

const HOURS =
  `select extract(hour from d.created_at at time zone 'Asia/Bangkok')::int as hour, d.channel, m.currency, count(*)::int as count, sum(d.amount)::bigint as amount
    from deposit d join member m on m.id = d.member_id where d.created_at >= $1 and d.created_at < $2
    group by 1, 2, 3 order by 1, 3, 2` as const;

/** Deposits by hour of the day, all days together. */
export async function listByHour(pool: Reads, { from, to }: Days): Promise<HourRow[]> {
  return (await pool.query(HOURS, [from, to])).rows;
}

export interface LiabilityRow {
  day: string;
  currency: Currency;
  members: bigint;
  unmatched: bigint;
}

/** The last entry of each day, of days without one that of the day before; `$5` is the last one before all of them. */
const DAY_ENDS = `with last as (
      select (e.created_at at time zone 'Asia/Bangkok')::date as day, max(e.id) as id from ledger_entry e
      where e.id between $3 and $4 and e.created_at >= $1 and e.created_at < $2 group by 1),
    ends as (
      select d.day::date as day, coalesce(max(l.id) over (order by d.day), $5::bigint) as entry_id
      from generate_series(($1 at time zone 'Asia/Bangkok')::date, ($2 at time zone 'Asia/Bangkok')::date - 1, interval '1 day') d(day)
      left join last l on l.day = d.day)` as const;
/** All accounts of a currency add up to nothing, so that members have what the few system accounts lack. */
const LIABILITIES = `${DAY_ENDS}
    select e.day::text as day, s.code as currency /* as member.currency */, (-coalesce(sum(b.balance_after), 0))::bigint as members,
      coalesce(sum(b.balance_after) filter (where a.kind = 'unmatched'), 0)::bigint as unmatched
    from ends e cross join ledger_account a join ledger_asset s on s.id = a.asset
    left join lateral (select p.balance_after from ledger_posting p where p.account_id = a.id and p.entry_id <= e.entry_id
      order by p.entry_id desc, p.leg desc limit 1) b on true
    where a.member_id is null and s.code <> 'COIN' group by 1, 2 order by 1 desc, 2` as const;

/** The last entry of the ledger before some days. */
async function entryBefore(pool: Reads, { from, first }: Days): Promise<bigint> {
  if (first > 0n) return first - 1n;
  const sql = 'select coalesce(max(id), 0)::bigint as id from ledger_entry where created_at < $1';
  return (await pool.query(sql, [from])).rows[0]!.id;
}

/** What is owed to members at the end of each day. */
export async function listLiabilities(pool: Reads, days: Days): Promise<LiabilityRow[]> {
  return (await pool.query(LIABILITIES, [...span(days), await entryBefore(pool, days)])).rows;
}

export interface WaitingRow {
  day: string;
  currency: Currency;
  paid: number;
  automatic: number;
  median: number;
  manual_median: number | null;
  ninety: number;
  longest: number;
}

const MINUTES = 'extract(epoch from w.updated_at - w.created_at) / 60';
const share = <const Share extends string, const Filter extends string>(of: Share, filter: Filter) =>
  `round((percentile_cont(${of}) within group (order by ${MINUTES})${filter})::numeric, 1)::float` as const;
const WAITING =
  `select ${day('w.created_at')} as day, m.currency, count(*)::int as paid, count(*) filter (where w.automatic)::int as automatic,
      ${share('0.5', '')} as median, ${share('0.5', ' filter (where not w.automatic)')} as manual_median, ${share('0.9', '')} as ninety,
      round(max(${MINUTES}), 1)::float as longest
    from withdrawal w join member m on m.id = w.member_id
    where w.created_at >= $1 and w.created_at < $2 and w.status = 'SUCCESS' group by 1, 2 order by 1 desc, 2` as const;

/** How long paid withdrawals took. */
export async function listWaiting(pool: Reads, { from, to }: Days): Promise<WaitingRow[]> {
  return (await pool.query(WAITING, [from, to])).rows;
}

export interface GameRow {
  game: string;
  name: string;
  currency: Currency;
  moved_in: bigint;
  moved_out: bigint;
  result: bigint;
}

const GAMES = `with moved as (${MOVED}), figures as (
      select substr(m.account, 13) as game, m.currency, 0 as moved_in, 0 as moved_out, m.amount as result
        from moved m where m.account like 'game\\_result:%'
      union all
      select t.slot_code, b.currency, case t.direction when 'IN' then t.amount else 0 end,
        case t.direction when 'OUT' then t.amount else 0 end, 0
        from provider_transfer t join member b on b.id = t.member_id
        where t.state = 'DONE' and t.touched_at >= $1 and t.touched_at < $2)
    select f.game, coalesce(s.name, f.game) as name, f.currency /* as member.currency */, sum(f.moved_in)::bigint as moved_in,
      sum(f.moved_out)::bigint as moved_out, sum(f.result)::bigint as result
    from figures f left join slot s on s.code = f.game group by 1, 2, 3 order by 3, 6 desc, 1` as const;

/** What each game won and what was moved in and out of it. */
export async function listByGame(pool: Reads, days: Days): Promise<GameRow[]> {
  return (await pool.query(GAMES, span(days))).rows;
}

export interface SourceRow {
  source: string;
  names: LocalizedText;
  currency: Currency;
  registered: number;
  depositors: number;
  deposits: bigint;
}

const SOURCES = `with paid as (select d.member_id, sum(d.amount)::bigint as amount from deposit d
      where d.created_at >= $1 and d.created_at < $2 group by 1)
    select s.code as source, json_build_object('th', s.description_th, 'la', s.description_la, 'en', s.description_en) as names,
      m.currency, count(*) filter (where m.created_at >= $1 and m.created_at < $2)::int as registered,
      count(p.member_id)::int as depositors, coalesce(sum(p.amount), 0)::bigint as deposits
    from member m join source s on s.code = m.source_code left join paid p on p.member_id = m.id
    where p.member_id is not null or (m.created_at >= $1 and m.created_at < $2)
    group by s.code, m.currency order by 3, 6 desc, s.position`;

/** Members and their deposits by their source. */
export async function listBySource(pool: Reads, { from, to }: Days): Promise<SourceRow[]> {
  return (await pool.query(SOURCES, [from, to])).rows;
}

export interface CohortRow {
  week: string;
  registered: number;
  paid: (number | null)[];
}

const COHORTS = `with cohort as (
      select m.id, date_trunc('week', m.created_at at time zone 'Asia/Bangkok') as week from member m
      where m.created_at >= date_trunc('week', $1::timestamptz, 'Asia/Bangkok')
        and m.created_at < date_trunc('week', $2::timestamptz + interval '7 days' - interval '1 microsecond', 'Asia/Bangkok')),
    paid as (select distinct c.id, c.week, floor(extract(epoch from (d.created_at at time zone 'Asia/Bangkok') - c.week) / 604800)::int as after
      from cohort c join deposit d on d.member_id = c.id)
    select c.week::date::text as week, count(*)::int as registered,
      (select array_agg(case when c.week + n * interval '7 days' <= $3::timestamptz at time zone 'Asia/Bangkok'
         then (select count(*)::int from paid p where p.week = c.week and p.after = n) end order by n) from generate_series(0, 4) n) as paid /* never null */
    from cohort c group by c.week order by 1 desc`;

/** Members who registered in a week of which one of the days is, and those who deposited in that week and each of the next four. */
export async function listCohorts(pool: Reads, { from, to }: Days, now: Date): Promise<CohortRow[]> {
  return (await pool.query(COHORTS, [from, to, now])).rows;
}

export interface AgentRow {
  operator: string | null;
  currency: Currency;
  withdrawals: number;
  waited: number | null;
  slips: number;
  pay_ins: number;
  checks: number;
  entries: bigint;
}

const AGENTS = `with moved as (${MOVED}), actions as (
      select regexp_replace(a.actor, '^(operator:|key:.* of )', '') as operator,
        count(*) filter (where a.action in ('withdrawal.approve', 'withdrawal.reject', 'withdrawal.paid'))::int as withdrawals,
        percentile_cont(0.5) within group (order by extract(epoch from a.at - w.created_at) / 60) as waited,
        count(*) filter (where a.action in ('slip.success', 'slip.failed'))::int as slips,
        count(*) filter (where a.action in ('unmatched.assign', 'unmatched.return', 'unmatched.tie', 'report.credit', 'report.refuse', 'doubt.tie', 'doubt.report', 'doubt.own'))::int as pay_ins
      from audit a left join withdrawal w on a.action in ('withdrawal.approve', 'withdrawal.reject') and a.subject = 'withdrawal:' || w.id
      where a.at >= $1 and a.at < $2 and (a.actor like 'operator:%' or a.actor like 'key:%') and (w.id is null or coalesce(
        (select u.action <> 'withdrawal.undo' from audit u
         where u.subject = a.subject and u.id > a.id and u.action in ('withdrawal.approve', 'withdrawal.reject', 'withdrawal.paid', 'withdrawal.undo')
         order by u.id limit 1), true))
      group by 1),
    checks as (select o.name as operator, count(*)::int as checks from approval p join operator o on o.id = p.checker_id
      where p.checked_at >= $1 and p.checked_at < $2 group by 1),
    entries as (select o.name as operator, m.currency, sum(-m.amount)::bigint as entries
      from moved m left join reported_transfer t on t.entry_id = m.entry_id
        left join manual_entry n on n.entry_id = m.entry_id or n.id = t.payment_report_id left join operator o on o.id = n.operator_id
      where m.account = 'manual' and m.currency <> 'COIN' group by 1, 2),
    names as (select operator from actions union select operator from checks union select operator from entries),
    figures as (select n.operator, e.currency, e.entries, row_number() over (partition by n.operator order by e.currency) = 1 as is_first
      from names n left join entries e on e.operator is not distinct from n.operator)
    select n.operator, coalesce(n.currency, 'BAHT') as currency /* as member.currency */, coalesce(a.withdrawals, 0) as withdrawals, a.waited,
      coalesce(a.slips, 0) as slips, coalesce(a.pay_ins, 0) as pay_ins, coalesce(c.checks, 0) as checks, coalesce(n.entries, 0)::bigint as entries
    from figures n left join actions a on a.operator = n.operator and n.is_first left join checks c on c.operator = n.operator and n.is_first
    where coalesce(a.withdrawals, 0) + coalesce(a.slips, 0) + coalesce(a.pay_ins, 0) + coalesce(c.checks, 0) > 0 or n.entries is not null
    order by 1 nulls last, 2` as const;

/** What operators decided, also by their keys, without the decisions on withdrawals that they undid; their manual entries are read from the ledger, less the reported transfers that arrived later, and those without an operator are the server's own command line. Of an operator with entries in several currencies, the first row alone has what is not money. */
export async function listByAgent(pool: Reads, days: Days): Promise<AgentRow[]> {
  return (await pool.query(AGENTS, span(days))).rows;
}

export interface CostRow {
  kind: 'bonus' | 'promotion' | 'invite' | 'refund' | 'luckydraw';
  code: string | null;
  names: LocalizedText | null;
  currency: Currency;
  received: number;
  granted: bigint;
  taken: bigint;
  cost: bigint;
}

// A refund counts as cost when it is received into the refund balance, not when it is added to the wallet.
const COSTS = `with costs as (
      select r.kind, r.bonus_id, m.currency, 1 as received, r.granted, 0::bigint as taken
        from bonus_run r join member m on m.id = r.member_id
        where r.kind <> 'refund' and r.started_at >= $1 and r.started_at < $2
      union all
      select 'refund', null, m.currency, 1, p.amount, 0
        from refund_period p join member m on m.id = p.member_id where p.to_at >= $1 and p.to_at < $2
      union all
      select r.kind, r.bonus_id, m.currency, 0, 0, r.taken
        from bonus_run r join member m on m.id = r.member_id where r.taken > 0 and r.ended_at >= $1 and r.ended_at < $2)
    select c.kind, b.code, b.title as names, c.currency, sum(c.received)::int as received, sum(c.granted)::bigint as granted,
      sum(c.taken)::bigint as taken, (sum(c.granted) - sum(c.taken))::bigint as cost
    from costs c left join bonus b on b.id = c.bonus_id group by c.kind, b.id, c.currency order by c.currency, 8 desc, b.code`;

/** What promotions granted and took back. */
export async function listCosts(pool: Reads, { from, to }: Days): Promise<CostRow[]> {
  return (await pool.query(COSTS, [from, to])).rows;
}

const money = <const Name extends string>(name: Name) =>
  `${moneySql(`x.${name}`, 'x.currency')} as ${name}` as const;
const times = ({ from, to }: Days) => [from, to] as const;

/** The rows of each report for a file. */
const FILES = {
  cash: (days: Days) =>
    pageSource(
      sql(
        `select x.day, x.currency, ${money('deposits')}, ${money('unmatched')}, ${money('withdrawals')}, ${money('sent_back')}, ${money('came_back')}, ${money('net')} from (${CASH}) x`,
      ),
      span(days),
      null,
    ),
  channels: (days: Days) =>
    pageSource(
      sql(`select x.day, x.channel, x.currency, x.count, ${money('amount')} from (${CHANNELS}) x`),
      times(days),
      null,
    ),
  hours: (days: Days) =>
    pageSource(
      sql(`select x.hour, x.channel, x.currency, x.count, ${money('amount')} from (${HOURS}) x`),
      times(days),
      null,
    ),
  waiting: (days: Days) =>
    pageSource(
      sql(
        `select x.day, x.currency, x.paid, x.automatic, x.median as median_minutes, x.manual_median as manual_median_minutes, x.ninety as ninety_percent_minutes, x.longest as longest_minutes from (${WAITING}) x`,
      ),
      times(days),
      null,
    ),
  games: (days: Days) =>
    pageSource(
      sql(
        `select x.game, x.name, x.currency, ${money('moved_in')}, ${money('moved_out')}, ${money('result')} from (${GAMES}) x`,
      ),
      span(days),
      null,
    ),
  sources: (days: Days) =>
    pageSource(
      sql(
        `select x.source, x.names->>'th' as name, x.currency, x.registered, x.depositors, ${money('deposits')} from (${SOURCES}) x`,
      ),
      times(days),
      null,
    ),
  retention: (days: Days, now: Date) =>
    pageSource(
      sql(
        `select x.week, x.registered, x.paid[1] as week_1, x.paid[2] as week_2, x.paid[3] as week_3, x.paid[4] as week_4, x.paid[5] as week_5 from (${COHORTS}) x`,
      ),
      [days.from, days.to, now],
      null,
    ),
  costs: (days: Days) =>
    pageSource(
      sql(
        `select x.kind, x.code, x.names->>'th' as name, x.currency, x.received, ${money('granted')}, ${money('taken')}, ${money('cost')} from (${COSTS}) x`,
      ),
      times(days),
      null,
    ),
  agents: (days: Days) =>
    pageSource(
      sql(
        `select x.operator, x.currency, x.withdrawals, round(x.waited::numeric, 1) as waited_minutes, x.slips, x.pay_ins, x.checks, ${money('entries')} from (${AGENTS}) x`,
      ),
      span(days),
      null,
    ),
} as const;
export type Report = keyof typeof FILES;

/** Liabilities for a file. */
export const exportLiabilities = async (pool: Reads, days: Days): Promise<ExportSource> =>
  pageSource(
    sql(`select x.day, x.currency, ${money('members')}, ${money('unmatched')} from (${LIABILITIES}) x`),
    [...span(days), await entryBefore(pool, days)],
    null,
  );

/** The same rows for a file. */
export const exportReport = (report: Report, days: Days, now: Date): ExportSource => FILES[report](days, now);

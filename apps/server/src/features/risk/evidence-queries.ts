import type { Db, RowOf } from '../../platform/database/db.ts';

/** Ids that one part names at most. */
const NAMED_MAX = 20;
/** Other members whose bank account, now or formerly, is the one the member is paid to. */
const ACCOUNT = `cross join lateral (
  select coalesce(array_agg(x.id), '{}') as account_members from (
    select distinct o.member_id::text as id from bank_account a
    join bank_account o on o.bank_code = a.bank_code and o.account_no_fingerprint = a.account_no_fingerprint and o.member_id <> a.member_id
    where a.member_id = t.id and a.status = 'ACTIVE' limit ${NAMED_MAX}) x) account` as const;

/** The member's networks of the last days, how many sites they are of, and which of them few members use. */
const HOME = `cross join lateral (
  select count(distinct n.site)::int as sites, coalesce(array_agg(n.network) filter (where is_small_network(n.network, $4)), '{}') as networks
  from (select distinct s.network, substring(s.network from '^([0-9]+[.][0-9]+[.]|[0-9a-f]+:[0-9a-f]*:)') as site from session s
    where s.member_id = t.id and s.created_at > $4 and s.network is not null limit 20) n) home` as const;

/** Other members who logged in with the same browser from the same small network. */
const DEVICE = `case when home.networks = '{}' then '{}' else array(
  select distinct o.member_id::text
  from (select distinct s.network, s.user_agent from session s
    where s.member_id = t.id and s.created_at > $4 and s.network = any(home.networks) and s.user_agent is not null limit 50) m
  join session o on o.network = m.network and hashtext(o.user_agent) = hashtext(m.user_agent) and o.user_agent = m.user_agent
    and o.created_at > $4 and o.member_id <> t.id
  limit ${NAMED_MAX}) end as device_members` as const;

/** Other members who logged in from the same small network within an hour of the member. */
const ADDRESS = `case when home.networks = '{}' then '{}' else array(
  select distinct o.member_id::text
  from (select s.network, s.created_at from session s
    where s.member_id = t.id and s.created_at > $4 and s.network = any(home.networks) order by s.created_at desc limit 50) m
  join session o on o.network = m.network and o.member_id <> t.id
    and o.created_at between m.created_at - interval '1 hour' and m.created_at + interval '1 hour'
  limit ${NAMED_MAX}) end as address_members` as const;

/**
 * Members of the invite tree around the member who share a browser on a small network or a bank account with each other:
 * with the member, or two of those the member invited, directly or through one other. Inviters only point to members
 * who were there before, so the tree itself has no cycle: what closes it is what its members share.
 */
const RING = `case when not tree.is_there then '{}' else array(
  with recursive above as (
    select m.inviter_id as id, 1 as depth from member m where m.id = t.id and m.inviter_id is not null
    union all
    select m.inviter_id, a.depth + 1 from above a join member m on m.id = a.id where m.inviter_id is not null and a.depth < 3
  ), below as (
    select t.id as id, 0 as depth
    union all
    select i.id, b.depth + 1 from below b
    cross join lateral (select m.id from member m where m.inviter_id = b.id order by m.id desc limit 30) i where b.depth < 2
  ), tree as (
    (select b.id, true as is_below from below b limit 100)
    union all select a.id, false from above a
    union all (select s.id, false from above a join member s on s.inviter_id = a.id and s.id <> t.id where a.depth = 1 order by s.id desc limit 30)
  ), mark as (
    select r.id, r.is_below, l.network, 'device ' || l.network || ' ' || l.user_agent as what from tree r
    cross join lateral (select distinct s.network, s.user_agent from session s
      where s.member_id = r.id and s.created_at > $4 and s.network is not null and s.user_agent is not null limit 10) l
    union
    select r.id, r.is_below, null, 'account ' || a.bank_code || encode(a.account_no_fingerprint, 'hex') from tree r
    join bank_account a on a.member_id = r.id
  ), shared as (
    select k.network, array_agg(distinct k.id::text) as ids from mark k group by k.what, k.network
    having count(distinct k.id) > 1 and (bool_or(k.id = t.id) or count(distinct k.id) filter (where k.is_below) > 1)
  ), small as materialized (
    select n.network from (select distinct h.network from shared h where h.network is not null limit 20) n
    where is_small_network(n.network, $4)
  )
  select distinct x.id from shared cross join lateral unnest(shared.ids) x(id)
  where shared.network is null or exists (select 1 from small where small.network = shared.network)) end as ring_members` as const;

/** Whether the member invited anybody or was invited; who did neither is in no ring. */
const TREE = `cross join lateral (
  select exists (select 1 from member m where m.inviter_id = t.id) or (select m.inviter_id is not null from member m where m.id = t.id) as is_there) tree` as const;

const SLIPS = `cross join lateral (
  select count(*)::int as refused_slips from slip s where s.member_id = t.id and s.created_at > $3 and s.status = 'FAILED') slips` as const;

/** The thirty newest withdrawals of 90 days, and the middle one of those that were paid. */
const RECENT = `cross join lateral (
  select coalesce(array_agg(w.id), '{}') as ids, coalesce(array_agg(w.id) filter (where w.created_at > $3 and w.status <> 'FAILED' and w.place <= 10), '{}') as week_ids,
    count(*) filter (where w.status = 'SUCCESS')::int as paid,
    coalesce(percentile_disc(0.5) within group (order by w.amount) filter (where w.status = 'SUCCESS'), 0)::bigint as paid_usual
  from (select w.id, w.amount, w.status, w.created_at, row_number() over (order by w.created_at desc) as place from withdrawal w
    where w.member_id = t.id and w.created_at > $5 order by w.created_at desc limit 30) w) recent` as const;

/** What of the ten newest withdrawals of the last days was not staked. */
const UNPLAYED = `case when recent.week_ids = '{}' then 0 else coalesce((
  select sum(u.amount) from withdrawal_unplayed u where u.withdrawal_id = any(recent.week_ids)), 0) end::bigint as unplayed` as const;

/** A recent withdrawal that the bank paid although it had failed here. */
const CONTRADICTED = `case when recent.ids = '{}' then null else (
  select substring(a.subject from 12) from alert a
  where a.kind = 'payout-contradicts' and a.closed_at is null and substring(a.subject from 12) = any(recent.ids)
  order by a.opened_at desc limit 1) end as contradicted` as const;

/** Bonuses whose run was followed by a withdrawal within an hour; and whether one ended so shortly before now. */
const BONUSES = `cross join lateral (
  select count(*) filter (where x.is_followed)::int as quick_withdrawals,
    coalesce(bool_or(b.ended_at > $2::timestamptz - interval '1 hour' and not x.is_followed), false) as bonus_just_ended
  from bonus_run b cross join lateral (select exists (
      select 1 from withdrawal w where w.member_id = t.id and w.created_at >= b.ended_at and w.created_at <= b.ended_at + interval '1 hour') as is_followed) x
  where b.member_id = t.id and b.kind in ('bonus', 'promotion') and b.started_at > $4 and b.ended_at is not null) bonuses` as const;

/** Money taken into games within 24 hours, beside an average day with play of the 30 days before. */
const STAKES = `cross join lateral (
  select coalesce(sum(d.amount) filter (where d.age = 0), 0)::bigint as staked,
    coalesce(avg(d.amount) filter (where d.age > 0), 0)::bigint as staked_usual, count(*) filter (where d.age > 0)::int as staked_days
  from (select floor(extract(epoch from $2::timestamptz - p.created_at) / 86400)::int as age, sum(p.amount) as amount from provider_transfer p
    where p.member_id = t.id and p.created_at > $4::timestamptz - interval '1 day' and p.direction = 'IN' and p.state = 'DONE' group by 1) d) stakes` as const;

/** The most networks of different sites (IPv4 /16, IPv6 /32) logged in from within one hour. */
const NETWORKS = `case when home.sites < 2 then home.sites else coalesce((
  select max(x.sites)
  from (select s.created_at from session s where s.member_id = t.id and s.created_at > $3 and s.network is not null
    order by s.created_at desc limit 50) s
  cross join lateral (
    select count(distinct substring(o.network from '^([0-9]+[.][0-9]+[.]|[0-9a-f]+:[0-9a-f]*:)')) as sites from session o
    where o.member_id = t.id and o.created_at between s.created_at and s.created_at + interval '1 hour' and o.network is not null) x), 0) end::int as networks` as const;

// A part in a case costs nothing where its condition does not hold, which is so for most members.
const EVIDENCE = `select account.account_members, ${DEVICE}, ${ADDRESS}, ${RING}, slips.refused_slips,
  ${UNPLAYED}, ${CONTRADICTED}, bonuses.quick_withdrawals, bonuses.bonus_just_ended,
  stakes.staked, stakes.staked_usual, stakes.staked_days, ${NETWORKS}, recent.paid, recent.paid_usual
from unnest($1::bigint[]) with ordinality t(id, place)
${ACCOUNT} ${HOME} ${TREE} ${SLIPS} ${RECENT} ${BONUSES} ${STAKES}
order by t.place` as const;

export type EvidenceRow = RowOf<typeof EVIDENCE>;

/**
 * Returns one row per member, in the order of `memberIds`. Every part goes by an index of the member, their networks or
 * their bank account, over bounded days and rows, so that it costs the same however many members there are.
 */
export async function readEvidence(
  db: Db,
  memberIds: readonly bigint[],
  since: { now: Date; week: Date; month: Date; quarter: Date },
): Promise<EvidenceRow[]> {
  const values = [memberIds, since.now, since.week, since.month, since.quarter] as const;
  // Every withdrawal runs this: prepared once per connection.
  const result = await db.query({ name: 'risk_evidence', text: EVIDENCE, values });
  return result.rows;
}

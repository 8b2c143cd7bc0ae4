import type { Db, RowOf } from '../../platform/database/db.ts';

/** Ids that one part names at most. */
const NAMED_MAX = 20;
/** A network that more members than this use is a mobile provider's or a café's, and joins nobody. */
const NETWORK_MEMBERS_MAX = 20;

/** Other members whose bank account, now or formerly, is the one the member is paid to. */
const ACCOUNT = `cross join lateral (
  select coalesce(array_agg(x.id), '{}') as account_members from (
    select distinct o.member_id::text as id from bank_account a
    join bank_account o on o.bank_code = a.bank_code and o.account_no_fingerprint = a.account_no_fingerprint and o.member_id <> a.member_id
    where a.member_id = t.id and a.status = 'ACTIVE' limit ${NAMED_MAX}) x) account` as const;

/** Other members who logged in with the same browser from the same network. */
const DEVICE = `cross join lateral (
  select coalesce(array_agg(x.id), '{}') as device_members from (
    select distinct o.member_id::text as id
    from (select distinct s.network, s.user_agent from session s
      where s.member_id = t.id and s.created_at > $4 and s.network is not null and s.user_agent is not null limit 50) m
    join session o on o.network = m.network and hashtext(o.user_agent) = hashtext(m.user_agent) and o.user_agent = m.user_agent
      and o.created_at > $4 and o.member_id <> t.id
    limit ${NAMED_MAX}) x) device` as const;

/** Other members who logged in from the same small network within an hour of the member. */
const ADDRESS = `cross join lateral (
  select coalesce(array_agg(distinct x.id), '{}') as address_members from (
    select distinct s.network from session s where s.member_id = t.id and s.created_at > $4 and s.network is not null limit 20) n
  cross join lateral (
    select array_agg(distinct u.member_id::text) filter (where u.member_id <> t.id and exists (
        select 1 from session o where o.member_id = t.id and o.network = n.network
          and o.created_at between u.created_at - interval '1 hour' and u.created_at + interval '1 hour')) as near,
      count(distinct u.member_id) as everybody
    from (select s.member_id, s.created_at from session s where s.network = n.network and s.created_at > $4
      order by s.created_at desc limit 200) u) r
  cross join lateral unnest(r.near) x(id)
  where r.everybody <= ${NETWORK_MEMBERS_MAX}) address` as const;

/**
 * Members of the invite tree around the member who share a browser on one network or a bank account with each other:
 * with the member, or two of those the member invited, directly or through one other. Inviters only point to members
 * who were there before, so the tree itself has no cycle: what closes it is what its members share.
 */
const RING = `cross join lateral (
  with recursive above as (
    select m.inviter_id as id, 1 as depth from member m where m.id = t.id and m.inviter_id is not null
    union all
    select m.inviter_id, a.depth + 1 from above a join member m on m.id = a.id where m.inviter_id is not null and a.depth < 3
  ), below as (
    select t.id as id, 0 as depth
    union all
    select i.id, b.depth + 1 from below b
    cross join lateral (select m.id from member m where m.inviter_id = b.id order by m.id desc limit 50) i where b.depth < 2
  ), tree as (
    (select b.id, true as is_below from below b limit 200)
    union all select a.id, false from above a
    union all (select s.id, false from above a join member s on s.inviter_id = a.id and s.id <> t.id where a.depth = 1 order by s.id desc limit 50)
  ), mark as (
    select r.id, r.is_below, 'device ' || s.network || ' ' || s.user_agent as what from tree r
    join session s on s.member_id = r.id and s.created_at > $4 and s.network is not null and s.user_agent is not null
    union
    select r.id, r.is_below, 'account ' || a.bank_code || encode(a.account_no_fingerprint, 'hex') from tree r
    join bank_account a on a.member_id = r.id
  ), shared as (
    select array_agg(distinct k.id::text) as ids from mark k group by k.what
    having count(distinct k.id) > 1 and (bool_or(k.id = t.id) or count(distinct k.id) filter (where k.is_below) > 1)
  )
  select coalesce(array_agg(distinct x.id), '{}') as ring_members from shared cross join lateral unnest(shared.ids) x(id)) ring` as const;

const SLIPS = `cross join lateral (
  select count(*)::int as refused_slips from slip s where s.member_id = t.id and s.created_at > $3 and s.status = 'FAILED') slips` as const;

/** Withdrawals of the last days of which something was not staked, and one that the bank paid although it had failed here. */
const WITHDRAWN = `cross join lateral (
  select coalesce(sum(u.amount), 0)::bigint as unplayed from withdrawal w join withdrawal_unplayed u on u.withdrawal_id = w.id
  where w.member_id = t.id and w.created_at > $3 and w.status <> 'FAILED') unplayed
left join lateral (
  select w.id as contradicted from withdrawal w join alert a on a.subject = 'withdrawal:' || w.id
    and a.kind = 'payout-contradicts' and a.closed_at is null
  where w.member_id = t.id and w.created_at > $4 order by a.opened_at desc limit 1) contradicted on true` as const;

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
const NETWORKS = `cross join lateral (
  select coalesce(max(x.sites), 0)::int as networks
  from (select s.created_at from session s where s.member_id = t.id and s.created_at > $3 and s.network is not null
    order by s.created_at desc limit 50) s
  cross join lateral (
    select count(distinct substring(o.network from '^([0-9]+[.][0-9]+[.]|[0-9a-f]+:[0-9a-f]*:)')) as sites from session o
    where o.member_id = t.id and o.created_at between s.created_at and s.created_at + interval '1 hour' and o.network is not null) x) networks` as const;

const PAID = `cross join lateral (
  select count(*)::int as paid, coalesce(percentile_disc(0.5) within group (order by w.amount), 0)::bigint as paid_usual
  from (select w.amount from withdrawal w where w.member_id = t.id and w.status = 'SUCCESS' and w.created_at > $5
    order by w.created_at desc limit 100) w) paid` as const;

const EVIDENCE =
  `select account.account_members, device.device_members, address.address_members, ring.ring_members, slips.refused_slips,
  unplayed.unplayed, contradicted.contradicted, bonuses.quick_withdrawals, bonuses.bonus_just_ended,
  stakes.staked, stakes.staked_usual, stakes.staked_days, networks.networks, paid.paid, paid.paid_usual
from unnest($1::bigint[]) with ordinality t(id, place)
${ACCOUNT} ${DEVICE} ${ADDRESS} ${RING} ${SLIPS} ${WITHDRAWN} ${BONUSES} ${STAKES} ${NETWORKS} ${PAID}
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

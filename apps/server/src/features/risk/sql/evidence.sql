-- The site of a network: IPv4 /16, IPv6 /32.
create or replace function network_site(_network text) returns text language sql immutable parallel safe as $$
  select substring(_network from '^([0-9]+[.][0-9]+[.]|[0-9a-f]+:[0-9a-f]*:)')
$$;

-- Returns at most 20 other members who logged in with a browser of the member from one of these networks since then.
create or replace function risk_device_members(_member bigint, _networks text[], _since timestamptz) returns text[]
language plpgsql stable as $$
begin
  return array(
    select distinct o.member_id::text
    from (
      select distinct s.network, s.user_agent
      from session s
      where s.member_id = _member and s.created_at > _since and s.network = any(_networks)
        and s.user_agent is not null
      limit 50
    ) m
    join session o on o.network = m.network
      and hashtext(o.user_agent) = hashtext(m.user_agent) and o.user_agent = m.user_agent
      and o.created_at > _since and o.member_id <> _member
    limit 20);
end $$;

-- Returns at most 20 other members who logged in from one of these networks within an hour of the member.
create or replace function risk_address_members(_member bigint, _networks text[], _since timestamptz) returns text[]
language plpgsql stable as $$
begin
  return array(
    select distinct o.member_id::text
    from (
      select s.network, s.created_at
      from session s
      where s.member_id = _member and s.created_at > _since and s.network = any(_networks)
      order by s.created_at desc
      limit 50
    ) m
    join session o on o.network = m.network and o.member_id <> _member
      and o.created_at between m.created_at - interval '1 hour' and m.created_at + interval '1 hour'
    limit 20);
end $$;

-- Returns the members of the invite tree around a member who share a browser on a small network or a bank account:
-- with the member, or two of those the member invited with each other, directly or through one other. Inviters only
-- point to members who were there before, so the tree itself has no cycle: what closes it is what its members share.
-- Who was invited is read in the order of member_inviter, between equal ends: where one member has invited most
-- others, a search for an equal inviter, newest first, reads members until it finds thirty.
create or replace function risk_ring_members(_member bigint, _since timestamptz) returns text[]
language plpgsql stable as $$
begin
  return array(
    with recursive above as (
      select m.inviter_id as id, 1 as depth from member m where m.id = _member and m.inviter_id is not null
      union all
      select m.inviter_id, a.depth + 1
      from above a join member m on m.id = a.id
      where m.inviter_id is not null and a.depth < 3
    ), below as (
      select _member as id, 0 as depth
      union all
      select i.id, b.depth + 1
      from below b
      cross join lateral (
        select m.id
        from member m
        where m.inviter_id between b.id and b.id
        order by m.inviter_id desc, m.id desc
        limit 30) i
      where b.depth < 2
    ), tree as (
      (select b.id, true as is_below from below b limit 100)
      union all
      select a.id, false from above a
      union all
      select s.id, false
      from above a
      cross join lateral (
        select m.id
        from member m
        where m.inviter_id between a.id and a.id and m.id <> _member
        order by m.inviter_id desc, m.id desc
        limit 30) s
      where a.depth = 1
    ), mark as (
      select r.id, r.is_below, l.network, 'device ' || l.network || ' ' || l.user_agent as what
      from tree r
      cross join lateral (
        select distinct s.network, s.user_agent
        from session s
        where s.member_id = r.id and s.created_at > _since and s.network is not null and s.user_agent is not null
        limit 10) l
      union
      select r.id, r.is_below, null, 'account ' || a.bank_code || encode(a.account_no_fingerprint, 'hex')
      from tree r
      cross join lateral (select * from bank_account b where b.member_id = r.id offset 0) a
    ), shared as (
      select k.network, array_agg(distinct k.id::text) as ids
      from mark k
      group by k.what, k.network
      having count(distinct k.id) > 1
        and (bool_or(k.id = _member) or count(distinct k.id) filter (where k.is_below) > 1)
    ), small as materialized (
      select n.network
      from (select distinct h.network from shared h where h.network is not null limit 20) n
      where is_small_network(n.network, _since)
    )
    select distinct x.id
    from shared cross join lateral unnest(shared.ids) x(id)
    where shared.network is null or exists (select 1 from small where small.network = shared.network));
end $$;

-- Returns the most networks of different sites a member logged in from within one hour since a moment.
create or replace function risk_sites_within_hour(_member bigint, _since timestamptz) returns int
language plpgsql stable as $$
begin
  return coalesce((
    select max(x.sites)
    from (
      select s.created_at
      from session s
      where s.member_id = _member and s.created_at > _since and s.network is not null
      order by s.created_at desc
      limit 50
    ) s
    cross join lateral (
      select count(distinct network_site(o.network)) as sites
      from session o
      where o.member_id = _member and o.network is not null
        and o.created_at between s.created_at and s.created_at + interval '1 hour') x), 0);
end $$;

-- The networks a member logged in from since a moment, how many sites they are of, and which of them few members use.
create or replace function risk_home(_member bigint, _since timestamptz) returns table (sites int, networks text[])
language sql stable as $$
  select count(distinct network_site(n.network))::int,
    coalesce(array_agg(n.network) filter (where is_small_network(n.network, _since)), '{}')
  from (
    select distinct s.network
    from session s
    where s.member_id = _member and s.created_at > _since and s.network is not null
    limit 20) n
$$;

-- The thirty newest withdrawals of a member, the ten newest of a week that did not fail, and the middle one of those
-- that were paid.
create or replace function risk_recent(_member bigint, _week timestamptz, _quarter timestamptz)
returns table (ids text[], week_ids text[], paid int, paid_usual bigint) language sql stable as $$
  select coalesce(array_agg(w.id), '{}'),
    coalesce(array_agg(w.id) filter (where w.created_at > _week and w.status <> 'FAILED' and w.place <= 10), '{}'),
    count(*) filter (where w.status = 'SUCCESS')::int,
    coalesce(percentile_disc(0.5) within group (order by w.amount) filter (where w.status = 'SUCCESS'), 0)::bigint
  from (
    select w.id, w.amount, w.status, w.created_at, row_number() over (order by w.created_at desc) as place
    from withdrawal w
    where w.member_id = _member and w.created_at > _quarter
    order by w.created_at desc
    limit 30) w
$$;

-- Bonuses of a member that a withdrawal followed within an hour; and whether one ended so shortly before now.
create or replace function risk_bonuses(_member bigint, _now timestamptz, _since timestamptz)
returns table (quick_withdrawals int, just_ended boolean) language sql stable as $$
  select count(*) filter (where x.is_followed)::int,
    coalesce(bool_or(b.ended_at > _now - interval '1 hour' and not x.is_followed), false)
  from bonus_run b
  cross join lateral (
    select exists (
      select 1
      from withdrawal w
      where w.member_id = _member
        and w.created_at >= b.ended_at and w.created_at <= b.ended_at + interval '1 hour') as is_followed) x
  where b.member_id = _member and b.kind in ('bonus', 'promotion') and b.started_at > _since
    and b.ended_at is not null
$$;

-- Money a member took into games within 24 hours, beside an average day with play of the days before.
create or replace function risk_stakes(_member bigint, _now timestamptz, _since timestamptz)
returns table (staked bigint, usual bigint, days int) language sql stable as $$
  select coalesce(sum(d.amount) filter (where d.age = 0), 0)::bigint,
    coalesce(avg(d.amount) filter (where d.age > 0), 0)::bigint,
    count(*) filter (where d.age > 0)::int
  from (
    select floor(extract(epoch from _now - p.created_at) / 86400)::int as age, sum(p.amount) as amount
    from provider_transfer p
    where p.member_id = _member and p.created_at > _since - interval '1 day'
      and p.direction = 'IN' and p.state = 'DONE'
    group by 1) d
$$;

-- Returns the subject of a recent withdrawal that the bank paid although it had failed here.
create or replace function risk_paid_twice(_withdrawals text[]) returns text language sql stable as $$
  select a.subject
  from alert a
  where a.kind = 'payout-contradicts' and a.closed_at is null
    and substring(a.subject from 12) = any(_withdrawals)
  order by a.opened_at desc
  limit 1
$$;

-- Returns the subject of a transfer whose money is in the game although the wallet had it back.
create or replace function risk_moved_twice(_member bigint) returns text language sql stable as $$
  select a.subject
  from alert a
  join provider_transfer p on p.id = substring(a.subject from 10)
  where a.kind = 'transfer-contradicts' and a.closed_at is null
    and p.member_id = _member and p.direction = 'IN'
  order by a.opened_at desc
  limit 1
$$;

-- Returns what is known of each member for the score of a withdrawal, in the order of _members. Every part goes by an
-- index of the member, their networks or their bank account, over bounded days and rows, so that it costs the same
-- however many members there are. A part in a case costs nothing where its condition does not hold, as with most
-- members. It is planned once a connection: planning costs many times what running it costs.
create or replace function risk_evidence(
  _members bigint[], _now timestamptz, _week timestamptz, _month timestamptz, _quarter timestamptz
) returns table (
  account_members text[], device_members text[], address_members text[], ring_members text[], refused_slips int,
  unplayed bigint, contradicted text, quick_withdrawals int, bonus_just_ended boolean,
  staked bigint, staked_usual bigint, staked_days int, networks int, paid int, paid_usual bigint
) language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
begin
  return query
  select account.members,
    case when home.networks = '{}' then '{}' else risk_device_members(t.id, home.networks, _month) end,
    case when home.networks = '{}' then '{}' else risk_address_members(t.id, home.networks, _month) end,
    case when tree.is_there then risk_ring_members(t.id, _month) else '{}' end,
    slips.refused,
    -- What of the ten newest withdrawals of the last days was not staked.
    case when recent.week_ids = '{}' then 0 else coalesce((
      select sum(u.amount) from withdrawal_unplayed u where u.withdrawal_id = any(recent.week_ids)), 0) end::bigint,
    coalesce(risk_paid_twice(recent.ids), risk_moved_twice(t.id)),
    bonuses.quick_withdrawals, bonuses.just_ended,
    stakes.staked, stakes.usual, stakes.days,
    case when home.sites < 2 then home.sites else risk_sites_within_hour(t.id, _week) end,
    recent.paid, recent.paid_usual
  from unnest(_members) with ordinality t(id, place)
  -- Other members whose bank account, now or formerly, is the one the member is paid to.
  cross join lateral (
    select coalesce(array_agg(x.id), '{}') as members
    from (
      select distinct o.member_id::text as id
      from bank_account a
      join bank_account o on o.bank_code = a.bank_code
        and o.account_no_fingerprint = a.account_no_fingerprint and o.member_id <> a.member_id
      where a.member_id = t.id and a.status = 'ACTIVE'
      limit 20) x) account
  cross join lateral risk_home(t.id, _month) home
  -- Whether the member invited or was invited; others are in no ring. An inviter is looked for by the order of the
  -- index: where few have invited most members, a search for equal ids reads members until it finds one.
  cross join lateral (
    select (select m.inviter_id from member m where m.inviter_id >= t.id order by m.inviter_id, m.id limit 1)
        is not distinct from t.id
      or (select m.inviter_id is not null from member m where m.id = t.id) as is_there) tree
  cross join lateral (
    select count(*)::int as refused
    from slip s
    where s.member_id = t.id and s.created_at > _week and s.status = 'FAILED') slips
  cross join lateral risk_recent(t.id, _week, _quarter) recent
  cross join lateral risk_bonuses(t.id, _now, _month) bonuses
  cross join lateral risk_stakes(t.id, _now, _month) stakes
  order by t.place;
end $$;

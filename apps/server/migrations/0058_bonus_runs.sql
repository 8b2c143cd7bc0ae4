-- Bonuses and the runs they start: money granted under terms, until it is won through, lost or given up.

create table bonus (
  id bigint generated always as identity primary key,
  code text not null unique,
  -- A promotion is hidden behind its code.
  kind text not null check (kind in ('bonus', 'promotion')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- {"th", "la", "en"}
  title jsonb not null,
  -- [{"image", "html": {"th", "la", "en"}}]
  banners jsonb not null default '[]',
  -- Amounts are minor units. A fixed amount, or percent of the qualifying deposit, at most award_max.
  award text not null check (award in ('fixed', 'percent')),
  award_amount bigint check (award_amount > 0),
  award_percent integer check (award_percent between 1 and 1000),
  award_max bigint check (award_max > 0),
  -- Null: no deposit is needed.
  deposit_min bigint check (deposit_min > 0),
  deposit_max bigint check (deposit_max >= deposit_min),
  success_percent integer not null check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null check (fail_percent between 0 and 99),
  -- Bets needed, in percent of the base: 500 is five times.
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  -- Slot code to the weight in percent at which its bets count; null: every game, at its full weight.
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  days integer not null default 30 check (days between 1 and 365),
  -- How receipts of one member are counted against max_received: for ever, by the day, by the week from Monday.
  count_by text not null check (count_by in ('limit', 'day', 'week')),
  max_received integer not null check (max_received > 0),
  -- How many members altogether; null: any number.
  quota integer check (quota > 0),
  is_open boolean not null,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  position integer not null default 0,
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamptz not null,
  check (case award when 'fixed' then award_amount is not null else award_percent is not null and deposit_min is not null end)
);

create table bonus_run (
  -- Also the id of its statement row.
  id text primary key,
  member_id bigint not null references member,
  wallet_account bigint not null,
  kind text not null check (kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  bonus_id bigint references bonus,
  bonus_version integer,
  label text not null,
  -- A deposit backs one run, for ever.
  deposit_id text unique references deposit,
  -- What of the deposit was there at the start, and what was granted: together the base.
  qualifying bigint not null check (qualifying >= 0),
  granted bigint not null check (granted > 0),
  -- The rest of the balance at the start, which is not bound.
  unbound bigint not null,
  -- Terms, frozen.
  success_percent integer not null,
  fail_percent integer not null,
  turnover_percent integer not null,
  games jsonb,
  withdraw_max bigint,
  expires_at timestamptz not null,
  -- PLAIN: money without conditions, over as soon as it was granted.
  state text not null check (state in ('ACTIVE', 'PLAIN', 'SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED')),
  entry_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'ACTIVE')),
  ended_by text,
  taken bigint not null default 0,
  -- Bets counted as the providers last told, in minor units.
  turnover bigint not null default 0,
  -- Since when the run could not be decided because somebody outside was silent.
  stuck_since timestamptz
);
create unique index bonus_run_active on bonus_run (member_id) where state = 'ACTIVE';
create index bonus_run_received on bonus_run (member_id, bonus_id, started_at);
create index bonus_run_of_bonus on bonus_run (bonus_id) where bonus_id is not null;
create index bonus_run_due on bonus_run (expires_at) where state = 'ACTIVE';

-- Everything a member has: wallet, games as booked, transfers on the way and stakes of open bets.
create function member_total(_member bigint) returns bigint language sql stable as $$
  select coalesce((select sum(a.balance) from ledger_account a where a.member_id = _member and a.kind in ('wallet', 'mirror')), 0)::bigint
    + coalesce((select sum(t.amount) from provider_transfer t where t.member_id = _member and t.state in ('RESERVED', 'UNKNOWN')), 0)::bigint
    + coalesce((select sum(floor(g.outstanding * g.rate_micro::numeric / case m.currency when 'LAK' then 100000000 else 1000000 end))
        from game_account g join member m on m.id = g.member_id where g.member_id = _member and g.outstanding > 0), 0)::bigint
$$;

-- What came into a wallet after an entry, less what left it, that is neither play nor a bonus: deposits, operators'
-- entries, reversals.
create function bonus_added(_wallet bigint, _entry bigint) returns bigint language sql stable as $$
  select coalesce(sum(p.amount), 0)::bigint from ledger_posting p join ledger_entry e on e.id = p.entry_id
  where p.account_id = _wallet and p.entry_id > _entry and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%'
$$;

-- What a run is decided by: everything the member has, without what was never bound.
create function bonus_standing(_run bonus_run) returns bigint language sql stable as $$
  select member_total(_run.member_id) - _run.unbound - bonus_added(_run.wallet_account, _run.entry_id)
$$;

create function bonus_takes(_games jsonb, _slot text) returns boolean language sql immutable as $$
  select _games is null or _games ? _slot
$$;

-- Whether money is out of reach of a start: on its way, in a bet, or in a game the terms do not allow.
create function bonus_remains(_member bigint, _games jsonb) returns boolean language sql stable as $$
  select exists (select 1 from withdrawal w where w.member_id = _member and w.status in ('QUEUED', 'REVIEW', 'PROCESSING'))
    or exists (select 1 from provider_transfer t where t.member_id = _member and t.state in ('RESERVED', 'UNKNOWN'))
    or exists (select 1 from game_account g where g.member_id = _member and g.outstanding > 0)
    or exists (select 1 from ledger_account a where a.member_id = _member and a.kind = 'mirror' and a.balance > 0
      and not bonus_takes(_games, a.slot_code))
$$;

-- Whether a deposit may back a run: the member's own, not taken back, not used, and nothing withdrawn since.
create function bonus_deposit_fits(_deposit text, _member bigint) returns boolean language sql stable as $$
  select exists (select 1 from deposit d where d.id = _deposit and d.member_id = _member and d.reversal_id is null
    and not exists (select 1 from bonus_run r where r.deposit_id = d.id)
    and not exists (select 1 from withdrawal w where w.member_id = d.member_id and w.created_at >= d.created_at and w.status <> 'FAILED'))
$$;

-- `seen_total` is what the terms were worked out on. `received_since` is where counting begins; null counts for ever.
create type bonus_start_row as (
  id text, member_id bigint, wallet_account bigint, kind text, bonus_id bigint, bonus_version integer, label text,
  deposit_id text, qualifying bigint, granted bigint, success_percent integer, fail_percent integer, turnover_percent integer,
  games jsonb, withdraw_max bigint, expires_at timestamptz, seen_total bigint, received_since timestamptz
);

-- Items of one member, and of one bonus with a quota, never meet in a batch.
create function guard_bonus_start(_rows text[]) returns text[] language plpgsql as $$
declare r bonus_start_row; b bonus; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_start_row;
    code := null;
    select * into b from bonus where id = r.bonus_id;
    if exists (select 1 from bonus_run a where a.member_id = r.member_id and a.state = 'ACTIVE') then code := 'BONUS_ALREADY_ACTIVE';
    elsif r.bonus_id is not null and (not b.is_open or b.version <> r.bonus_version) then code := 'STALE';
    elsif r.bonus_id is not null and (select count(*) from bonus_run c where c.member_id = r.member_id and c.bonus_id = r.bonus_id
        and c.started_at >= coalesce(r.received_since, '-infinity')) >= b.max_received then code := 'BONUS_MAX_CLAIMED';
    elsif b.quota is not null and (select count(*) from bonus_run c where c.bonus_id = r.bonus_id) >= b.quota then code := 'BONUS_FULL';
    elsif bonus_remains(r.member_id, r.games) then code := 'BONUS_REMAINING';
    elsif r.deposit_id is not null and not bonus_deposit_fits(r.deposit_id, r.member_id) then code := 'STALE';
    elsif member_total(r.member_id) <> r.seen_total then code := 'STALE';
    end if;
    said := array_append(said, code);
  end loop;
  return said;
end $$;

create function write_bonus_start(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r bonus_start_row; plain boolean; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_start_row;
    plain := r.success_percent = 0 and r.turnover_percent = 0;
    -- Money that came within the same batch is counted where it stands in it: before the grant unbound, after it added.
    insert into bonus_run (id, member_id, wallet_account, kind, bonus_id, bonus_version, label, deposit_id, qualifying, granted, unbound,
        success_percent, fail_percent, turnover_percent, games, withdraw_max, expires_at, state, entry_id, started_at, ended_at)
      values (r.id, r.member_id, r.wallet_account, r.kind, r.bonus_id, r.bonus_version, r.label, r.deposit_id, r.qualifying, r.granted,
        member_total(r.member_id) - r.granted - r.qualifying - bonus_added(r.wallet_account, _entries[i]),
        r.success_percent, r.fail_percent, r.turnover_percent, r.games, r.withdraw_max, r.expires_at,
        case when plain then 'PLAIN' else 'ACTIVE' end, _entries[i], _now, case when plain then _now end);
    perform statement_add(array[(r.member_id, r.id, 'bonus', 'SUCCESS', r.kind, 'wallet', r.granted)::statement_row], _now);
    update statement set reference_kind = r.kind, reference_text = r.label where id = r.id;
    perform outbox_money(array[r.member_id], array[null::jsonb], _now);
  end loop;
end $$;

-- `standing` is what the end was decided on; `row_id` names its statement row.
create type bonus_end_row as (run_id text, row_id text, state text, taken bigint, standing bigint, turnover bigint, ended_by text);

create function guard_bonus_end(_rows text[]) returns text[] language plpgsql as $$
declare r bonus_end_row; run bonus_run; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_end_row;
    select * into run from bonus_run where id = r.run_id;
    said := array_append(said, case
      when run.state is distinct from 'ACTIVE' then 'ENDED'
      when bonus_standing(run) <> r.standing then 'STALE' end);
  end loop;
  return said;
end $$;

create function write_bonus_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r bonus_end_row; run bonus_run; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_end_row;
    update bonus_run set state = r.state, ended_at = _now, ended_by = r.ended_by, taken = r.taken, turnover = r.turnover, stuck_since = null
      where id = r.run_id returning * into run;
    perform statement_add(array[(run.member_id, r.row_id, 'finish_bonus', 'SUCCESS', 'wallet', run.kind, r.taken)::statement_row], _now);
    update statement set reference_kind = run.kind, reference_text = run.label where id = r.row_id;
    insert into audit (at, actor, action, thing, after)
      select _now, r.ended_by, 'bonus.' || lower(r.state), 'run:' || r.run_id, jsonb_build_object('taken', r.taken, 'standing', r.standing)
      where r.ended_by <> 'member';
    perform outbox_money(array[run.member_id], array[null::jsonb], _now);
  end loop;
end $$;

insert into ledger_companion values
  ('bonus_start', 'guard_bonus_start', 'write_bonus_start'),
  ('bonus_end', 'guard_bonus_end', 'write_bonus_end');

-- As before, and not during a run.
create or replace function guard_withdrawal(_rows text[]) returns text[] language plpgsql as $$
declare parsed withdrawal_row[]; said text[];
begin
  select array_agg(u.text::withdrawal_row order by u.o) into parsed from unnest(_rows) with ordinality u(text, o);
  select array_agg(case
      when exists (select 1 from ended_wish e where e.id = p.id) then 'WISH_ENDED'
      when exists (select 1 from bonus_run b where b.member_id = p.member_id and b.state = 'ACTIVE') then 'BONUS_REMAINING'
      when p.one_open and exists (
        select 1 from withdrawal w where w.member_id = p.member_id and w.status in ('QUEUED', 'REVIEW', 'PROCESSING')
      ) then 'REQUEST_LIMIT' end order by p.ordinality)
    into said from unnest(parsed) with ordinality p;
  return said;
end $$;

-- As before, and no money into a game that the terms of a run do not allow.
create or replace function guard_transfer_intent(_rows text[]) returns text[] language plpgsql as $$
declare parsed transfer_intent_row[]; said text[];
begin
  select array_agg(u.text::transfer_intent_row order by u.o) into parsed from unnest(_rows) with ordinality u(text, o);
  select array_agg(case
      when exists (select 1 from ended_wish e where e.id = p.id) then 'WISH_ENDED'
      when p.direction = 'IN' and exists (select 1 from bonus_run b where b.member_id = p.member_id and b.state = 'ACTIVE'
        and not bonus_takes(b.games, p.slot_code)) then 'BONUS_REMAINING' end order by p.ordinality)
    into said from unnest(parsed) with ordinality p;
  return said;
end $$;

grant select, insert, update on bonus to krapao_app;
grant select on bonus_run to krapao_app;
grant update (turnover, stuck_since) on bonus_run to krapao_app;

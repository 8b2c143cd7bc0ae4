-- An address of a private network or of this machine is a proxy's that nobody declared: it tells members apart as little
-- as it tells them together.
create or replace function is_outside(_address text) returns boolean language sql immutable as $$
  select _address !~* '^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|169\.254\.)|^::1$|^f[cd][0-9a-f]{2}:|^fe80:'
$$;

-- Everything a member has: wallet, games as booked, transfers on the way and stakes of open bets.
create or replace function member_total(_member bigint) returns bigint language sql stable as $$
  select coalesce((select sum(a.balance) from ledger_account a where a.member_id = _member and a.kind in ('wallet', 'mirror')), 0)::bigint
    + coalesce((select sum(t.amount) from provider_transfer t where t.member_id = _member and t.state in ('RESERVED', 'UNKNOWN')), 0)::bigint
    + coalesce((select sum(floor(g.outstanding * g.rate_micro::numeric / case m.currency when 'LAK' then 100000000 else 1000000 end))
        from game_account g join member m on m.id = g.member_id where g.member_id = _member and g.outstanding > 0), 0)::bigint
$$;

-- Whether money is out of reach of a start: on its way, in a bet, or in a game the terms do not allow.
create or replace function bonus_remains(_member bigint, _games jsonb) returns boolean language sql stable as $$
  select exists (select 1 from withdrawal w where w.member_id = _member and w.status in ('QUEUED', 'REVIEW', 'PROCESSING'))
    or exists (select 1 from provider_transfer t where t.member_id = _member and t.state in ('RESERVED', 'UNKNOWN'))
    or exists (select 1 from game_account g where g.member_id = _member and g.outstanding > 0)
    or exists (select 1 from ledger_account a where a.member_id = _member and a.kind = 'mirror' and a.balance > 0
      and not bonus_takes(_games, a.slot_code))
$$;

-- What a run is decided by: everything the member has, without what was never bound.
create or replace function bonus_standing(_run bonus_run) returns bigint language sql stable as $$
  select member_total(_run.member_id) - _run.unbound - bonus_added(_run.wallet_account, _run.entry_id)
$$;

create or replace function bonus_takes(_games jsonb, _slot text) returns boolean language sql immutable as $$
  select _games is null or _games ? _slot
$$;

-- What came into a wallet after an entry, less what left it, that is neither play nor a bonus: deposits, operators'
-- entries, reversals.
create or replace function bonus_added(_wallet bigint, _entry bigint) returns bigint language sql stable as $$
  select coalesce(sum(p.amount), 0)::bigint from ledger_posting p join ledger_entry e on e.id = p.entry_id
  where p.account_id = _wallet and p.entry_id > _entry and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%'
$$;

-- Whether a deposit may back a run: as before, and what was withdrawn after it is told by the order of the ledger's
-- entries, because deposit and withdrawal may carry the clocks of two servers. Those never differ by a day, which keeps
-- the search short.
create or replace function bonus_deposit_fits(_deposit text, _member bigint) returns boolean language sql stable as $$
  select exists (select 1 from deposit d where d.id = _deposit and d.member_id = _member and d.reversal_id is null
    and not exists (select 1 from bonus_run r where r.deposit_id = d.id)
    and not exists (select 1 from withdrawal w left join ledger_hold h on h.key = 'withdrawal:' || w.id
      where w.member_id = d.member_id and w.created_at >= d.created_at - interval '1 day' and w.status <> 'FAILED'
        and coalesce(h.opened_by > d.entry_id, w.created_at >= d.created_at)))
$$;

-- Invites, refunds and coupons start runs too: as bonuses do, or as plain money, which binds nothing and so waits for
-- nothing but a run under way.
create or replace function guard_bonus_start(_rows text[]) returns text[] language plpgsql as $$
declare r bonus_start_row; b bonus; said text[] := '{}'; code text; free boolean; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_start_row;
    code := null;
    free := r.bonus_id is null and r.success_percent = 0 and r.turnover_percent = 0;
    select * into b from bonus where id = r.bonus_id;
    if exists (select 1 from bonus_run a where a.member_id = r.member_id and a.state = 'ACTIVE') then code := 'BONUS_ALREADY_ACTIVE';
    elsif r.bonus_id is not null and (not b.is_open or b.version <> r.bonus_version) then code := 'STALE';
    elsif r.bonus_id is not null and (select count(*) from bonus_run c where c.member_id = r.member_id and c.bonus_id = r.bonus_id
        and c.started_at >= coalesce(r.received_since, '-infinity')) >= b.max_received then code := 'BONUS_MAX_CLAIMED';
    elsif b.quota is not null and (select count(*) from bonus_run c where c.bonus_id = r.bonus_id) >= b.quota then code := 'BONUS_FULL';
    elsif not free and bonus_remains(r.member_id, r.games) then code := 'BONUS_REMAINING';
    elsif r.deposit_id is not null and not bonus_deposit_fits(r.deposit_id, r.member_id) then code := 'STALE';
    elsif not free and member_total(r.member_id) <> r.seen_total then code := 'STALE';
    end if;
    said := array_append(said, code);
  end loop;
  return said;
end $$;

create or replace function write_bonus_start(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
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

create or replace function guard_bonus_end(_rows text[]) returns text[] language plpgsql as $$
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

-- Operators end a run; the act's own audit row tells of it.
create or replace function write_bonus_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r bonus_end_row; run bonus_run; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_end_row;
    update bonus_run set state = r.state, ended_at = _now, ended_by = r.ended_by, taken = r.taken, turnover = r.turnover, stuck_since = null
      where id = r.run_id returning * into run;
    perform statement_add(array[(run.member_id, r.row_id, 'finish_bonus', 'SUCCESS', 'wallet', run.kind, r.taken)::statement_row], _now);
    update statement set reference_kind = run.kind, reference_text = run.label where id = r.row_id;
    insert into audit (at, actor, action, thing, after)
      select _now, r.ended_by, 'bonus.' || lower(r.state), 'member:' || run.member_id,
        jsonb_build_object('run', r.run_id, 'taken', r.taken, 'standing', r.standing)
      where r.ended_by = 'system';
    update alert set closed_at = _now where kind = 'bonus-stuck' and thing = 'member:' || run.member_id and closed_at is null;
    perform outbox_money(array[run.member_id], array[null::jsonb], _now);
  end loop;
end $$;

create or replace function guard_desk_bonus_end(_rows text[]) returns text[] language plpgsql as $$
declare r desk_bonus_end_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_bonus_end_row;
    said := array_append(said, coalesce((guard_bonus_end(array[(r.ending)::text]))[1], desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create or replace function write_desk_bonus_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_bonus_end_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_bonus_end_row;
    perform write_bonus_end(array[(r.ending)::text], array[_entries[i]], _now);
    perform desk_write(array[r.act], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('bonus_start', 'guard_bonus_start', 'write_bonus_start'),
  ('bonus_end', 'guard_bonus_end', 'write_bonus_end'),
  ('desk_bonus_end', 'guard_desk_bonus_end', 'write_desk_bonus_end')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

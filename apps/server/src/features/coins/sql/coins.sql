-- Every deposit passes here, whatever brought it. While no wheel turns nothing is counted.
create or replace function coin_count() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select 1 from setting where key = 'wheel.active' and value = 'true'::jsonb) then return null; end if;
    insert into coin_day (member_id, day, deposited, is_open)
      values (new.member_id, (new.created_at at time zone 'Asia/Bangkok')::date, new.amount, true)
      on conflict (member_id, day) do update set deposited = coin_day.deposited + excluded.deposited, is_open = true;
  else
    update coin_day set deposited = greatest(deposited - new.amount, 0), is_open = true
      where member_id = new.member_id and day = (new.created_at at time zone 'Asia/Bangkok')::date;
    if not found then return null; end if;
  end if;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
  return null;
end $$;

-- Withdrawals are written in batches, nearly all of them of money that was played: one question a batch finds the rest.
create or replace function coin_unplay(_member bigint, _amount bigint) returns void language plpgsql as $$
declare rest bigint := _amount; part bigint; d coin_day;
begin
  for d in select * from coin_day c where c.member_id = _member order by c.day desc loop
    part := least(rest, greatest(d.deposited - d.unplayed, 0));
    continue when part = 0;
    update coin_day set unplayed = unplayed + part, is_open = true where member_id = d.member_id and day = d.day;
    rest := rest - part;
    exit when rest = 0;
  end loop;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
end $$;

-- A withdrawal sent once more is the one it repeats: its notes come along, and the coins that its refusal had given
-- back go with it again.
create or replace function coin_withdrawn() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare rest bigint; part bigint; d coin_day;
begin
  if tg_op = 'INSERT' and new.retry_of is not null then
    insert into withdrawal_unplayed (withdrawal_id, amount)
      select new.id, u.amount from withdrawal_unplayed u where u.withdrawal_id = new.retry_of;
    insert into withdrawal_unbet (withdrawal_id, needed, since)
      select new.id, u.needed, u.since from withdrawal_unbet u where u.withdrawal_id = new.retry_of;
  end if;
  select u.amount into rest from withdrawal_unplayed u where u.withdrawal_id = new.id;
  if coalesce(rest, 0) = 0 then return null; end if;
  for d in select * from coin_day c where c.member_id = new.member_id order by c.day desc loop
    part := least(rest, case tg_op when 'INSERT' then greatest(d.deposited - d.unplayed, 0) else d.unplayed end);
    continue when part = 0;
    update coin_day set unplayed = unplayed + case tg_op when 'INSERT' then part else -part end, is_open = true
      where member_id = d.member_id and day = d.day;
    rest := rest - part;
    exit when rest = 0;
  end loop;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
  return null;
end $$;

create or replace function guard_coin_day(_rows text[]) returns text[] language plpgsql as $$
declare r coin_day_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_day_row;
    said := array_append(said, case when not exists (select 1 from coin_day d where d.member_id = r.member_id and d.day = r.day
      and d.deposited = r.deposited and d.unplayed = r.unplayed and d.turn = r.turn) then 'STALE' end);
  end loop;
  return said;
end $$;

create or replace function write_coin_day(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coin_day_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_day_row;
    -- A deposit of the same batch may have counted itself meanwhile.
    update coin_day d set granted = d.granted + r.change, turn = d.turn + 1,
        is_open = d.deposited <> r.deposited or d.unplayed <> r.unplayed
      where d.member_id = r.member_id and d.day = r.day;
  end loop;
end $$;

create or replace function guard_coin_grant(_rows text[]) returns text[] language plpgsql as $$
declare r coin_grant_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_grant_row;
    said := array_append(said, desk_refusal(r.act));
  end loop;
  return said;
end $$;

create or replace function write_coin_grant(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coin_grant_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_grant_row;
    insert into coin_grant (id, member_id, operator_id, key, coins, reason, approval_id, entry_id, created_at)
      select r.id, r.member_id, coalesce(a.maker_id, (r.act).operator_id), r.key, r.coins, (r.act).reason, a.id, _entries[i], _now
      from (select 1) one left join approval a on a.id = (r.act).approval_id;
    perform desk_write(array[r.act], _now);
  end loop;
end $$;

create or replace trigger coin_count
  after insert on deposit for each row
  execute function coin_count();
create or replace trigger coin_count_reversed
  after update of reversal_id on deposit
  for each row when (old.reversal_id is null and new.reversal_id is not null)
  execute function coin_count();
create or replace trigger coin_withdrawn_not
  after update of status on withdrawal
  for each row when (new.status = 'FAILED' and old.status <> 'FAILED')
  execute function coin_withdrawn();
create or replace trigger coin_withdrawn_again
  after insert on withdrawal
  for each row when (new.retry_of is not null)
  execute function coin_withdrawn();

insert into ledger_companion (name, guard_function, write_function) values
  ('coin_day', 'guard_coin_day', 'write_coin_day'),
  ('coin_grant', 'guard_coin_grant', 'write_coin_grant')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

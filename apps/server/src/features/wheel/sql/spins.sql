-- Rejects a spin with STALE when the wheel is no longer open with the drawn version and cost, or the drawn prize is
-- out of stock or withdrawn. Two spins that win the same limited prize are never in one batch.
create or replace function guard_spin(_rows text[]) returns text[] language plpgsql as $$
declare
  item spin_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::spin_row;
    refusals := array_append(refusals, case
      when not exists (
        select 1
        from wheel w
        join wheel_version v on v.wheel_id = w.id and v.version = w.version
        where w.id = item.wheel_id and w.state = 'OPEN' and w.version = item.version and v.cost_per_spin = item.cost
      ) then 'STALE'
      when exists (
        select 1
        from wheel_slice s
        join prize p on p.id = s.prize_id
        where s.wheel_id = item.wheel_id and s.version = item.version and s.position = item.position
          and (p.won >= s.stock or p.withdrawn_at is not null)
      ) then 'STALE'
    end);
  end loop;
  return refusals;
end $$;

-- Writes the spins. Where the slice has a prize it issues the coupon and counts the prize as won. Tells the members'
-- screens.
create or replace function write_spin(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item spin_row;
  slice wheel_slice;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::spin_row;
    select * into strict slice
      from wheel_slice s
      where s.wheel_id = item.wheel_id and s.version = item.version and s.position = item.position;
    if slice.prize_id is not null then
      insert into coupon (id, member_id, prize_id, slice_code, state, created_at, expires_at)
        values (item.coupon_id, item.member_id, slice.prize_id, slice.code, 'OPEN', _now, item.expires_at);
      update prize set won = prize.won + 1 where id = slice.prize_id;
    end if;
    insert into spin (
        id, member_id, wheel_id, version, position, cost, weights, coupon_id, entry_id, created_at)
      values (
        item.id, item.member_id, item.wheel_id, item.version, item.position, item.cost, item.weights::integer[],
        case when slice.prize_id is not null then item.coupon_id end, _entries[i], _now);
    perform coin_notice(item.member_id, _now);
  end loop;
end $$;

-- Counts new spins of each slice; slices of one code are one, whatever the version of the wheel.
create or replace function spin_counted() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  insert into spin_count as k (wheel_id, slice_code, spins)
    select n.wheel_id, s.code, count(*)
    from added n
    join wheel_slice s on s.wheel_id = n.wheel_id and s.version = n.version and s.position = n.position
    group by 1, 2
    order by 1, 2
    on conflict (wheel_id, slice_code) do update set spins = k.spins + excluded.spins;
  return null;
end $$;

-- Counts spins.
create or replace trigger spin_counted
  after insert on spin referencing new table as added for each statement
  execute function spin_counted();

-- Counts the spins that were there before the trigger, whose creation has locked out those who add more.
insert into spin_count (wheel_id, slice_code, spins)
  select n.wheel_id, s.code, count(*)
  from spin n
  join wheel_slice s on s.wheel_id = n.wheel_id and s.version = n.version and s.position = n.position
  where not exists (select from spin_count)
  group by 1, 2;

-- Notifies member apps of another wheel or version that turns, or that none does. Drafts are not theirs to see.
create or replace trigger site_changed
  after update of state, version on wheel for each statement
  execute function site_changed('wheel');

-- Notifies consoles of changed and published wheels.
create or replace trigger console_changed
  after insert or update on wheel for each statement
  execute function console_changed('wheels');

insert into ledger_companion (name, guard_function, write_function) values
  ('spin', 'guard_spin', 'write_spin')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- STALE: the wheel or its stock is not any more what was drawn from. Spins on one limited prize never meet in a batch.
create or replace function guard_spin(_rows text[]) returns text[] language plpgsql as $$
declare r spin_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::spin_row;
    said := array_append(said, case
      when not exists (select 1 from wheel w join wheel_version v on v.wheel_id = w.id and v.version = w.version
        where w.id = r.wheel_id and w.state = 'OPEN' and w.version = r.version and v.cost_per_spin = r.cost) then 'STALE'
      when exists (select 1 from wheel_slice s join prize p on p.id = s.prize_id
        where s.wheel_id = r.wheel_id and s.version = r.version and s.position = r.position and p.won >= s.stock) then 'STALE' end);
  end loop;
  return said;
end $$;

create or replace function write_spin(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r spin_row; won wheel_slice; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::spin_row;
    select * into strict won from wheel_slice s where s.wheel_id = r.wheel_id and s.version = r.version and s.position = r.position;
    if won.prize_id is not null then
      insert into coupon (id, member_id, prize_id, slice_code, state, created_at, expires_at)
        values (r.coupon_id, r.member_id, won.prize_id, won.code, 'OPEN', _now, r.expires_at);
      update prize set won = prize.won + 1 where id = won.prize_id;
    end if;
    insert into spin (id, member_id, wheel_id, version, position, cost, weights, coupon_id, entry_id, created_at)
      values (r.id, r.member_id, r.wheel_id, r.version, r.position, r.cost, r.weights::integer[],
        case when won.prize_id is not null then r.coupon_id end, _entries[i], _now);
  end loop;
end $$;

-- Open consoles hear of coupons claimed and of wheels published.
create or replace trigger desk_changed
  after insert or update on wheel for each statement
  execute function desk_changed('wheels');

insert into ledger_companion (name, guard_function, write_function) values
  ('spin', 'guard_spin', 'write_spin')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

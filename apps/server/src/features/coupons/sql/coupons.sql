-- Claims of one prize made at once each take a coupon of their own: the one that expires first is chosen where it is
-- decided, not where it was asked for. `coupon_id` names any coupon of the prize.
create or replace function coupon_next(_id text, _member bigint, _at timestamptz) returns text language sql as $$
  select c.id from coupon c join prize p on p.id = c.prize_id
  where c.prize_id = (select o.prize_id from coupon o where o.id = _id) and c.member_id = _member and c.state = 'OPEN'
    and c.expires_at > _at and p.withdrawn_at is null
  order by c.expires_at, c.id limit 1 for update of c
$$;

-- Why a coupon cannot be claimed at this moment, or null; it is locked, so that it is not revoked meanwhile.
create or replace function coupon_refusal(_id text, _member bigint, _at timestamptz) returns text language plpgsql as $$
begin
  if coupon_next(_id, _member, _at) is null then return 'STALE'; end if;
  if exists (select 1 from bonus_run r where r.member_id = _member and r.state = 'ACTIVE') then return 'BONUS_REMAINING'; end if;
  return null;
end $$;

create or replace function guard_coupon_claim(_rows text[]) returns text[] language plpgsql as $$
declare r coupon_claim_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_claim_row;
    said := array_append(said, coupon_refusal(r.coupon_id, r.member_id, r.at));
  end loop;
  return said;
end $$;

create or replace function write_coupon_claim(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coupon_claim_row; taken text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_claim_row;
    taken := coupon_next(r.coupon_id, r.member_id, r.at);
    update coupon set state = 'CLAIMED', ended_at = _now where id = taken;
  end loop;
end $$;

create or replace function guard_coupon_bonus(_rows text[]) returns text[] language plpgsql as $$
declare r coupon_bonus_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_bonus_row;
    said := array_append(said, coalesce(coupon_refusal(r.coupon_id, (r.run).member_id, r.at), (guard_bonus_start(array[(r.run)::text]))[1]));
  end loop;
  return said;
end $$;

create or replace function write_coupon_bonus(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coupon_bonus_row; taken text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_bonus_row;
    perform write_bonus_start(array[(r.run)::text], array[_entries[i]], _now);
    taken := coupon_next(r.coupon_id, (r.run).member_id, r.at);
    update coupon set state = 'CLAIMED', ended_at = _now, run_id = (r.run).id where id = taken;
  end loop;
end $$;

create or replace trigger desk_changed
  after update on coupon for each statement
  execute function desk_changed('coupons');

insert into ledger_companion (name, guard_function, write_function) values
  ('coupon_claim', 'guard_coupon_claim', 'write_coupon_claim'),
  ('coupon_bonus', 'guard_coupon_bonus', 'write_coupon_bonus')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

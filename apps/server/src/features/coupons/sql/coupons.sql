-- Returns and locks the member's coupon to redeem for the prize of coupon `_id`: the open one that expires first;
-- null when there is none or the prize is withdrawn. Redemptions at the same time thus each take a coupon of their
-- own. The prize is locked too, so that it is not withdrawn before the coupon is marked as redeemed.
create or replace function coupon_next(_id text, _member bigint, _at timestamptz) returns text language sql as $$
  select c.id
  from coupon c
  join prize p on p.id = c.prize_id
  where c.prize_id = (select o.prize_id from coupon o where o.id = _id) and c.member_id = _member
    and c.state = 'OPEN' and c.expires_at > _at and p.withdrawn_at is null
  order by c.expires_at, c.id
  limit 1
  for update of c
  for share of p
$$;

-- Marks the member's coupon to redeem, see coupon_next, as redeemed by a run, or by none, and tells the member's
-- screens. Raises when there is no such coupon any more: what the redemption pays is then not booked.
create or replace function coupon_redeem(_id text, _member bigint, _at timestamptz, _run text, _now timestamptz)
returns void language plpgsql as $$
declare
  taken text := coupon_next(_id, _member, _at);
begin
  update coupon set state = 'CLAIMED', ended_at = _now, run_id = _run where id = taken;
  if not found then raise exception 'coupon % cannot be redeemed', _id; end if;
  perform coin_notice(_member, _now);
end $$;

-- Returns why a coupon cannot be redeemed: STALE when no coupon is open, BONUS_REMAINING during an active run; null
-- when it can. Locks the coupon against being revoked.
create or replace function coupon_refusal(_id text, _member bigint, _at timestamptz)
returns text language plpgsql as $$
begin
  if coupon_next(_id, _member, _at) is null then return 'STALE'; end if;
  if exists (select 1 from bonus_run r where r.member_id = _member and r.state = 'ACTIVE') then
    return 'BONUS_REMAINING';
  end if;
  return null;
end $$;

-- Rejects the redemption of a coupon for coins or an item, see coupon_refusal.
create or replace function guard_coupon_redemption(_rows text[]) returns text[] language plpgsql as $$
declare
  item coupon_redemption_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coupon_redemption_row;
    refusals := array_append(refusals, coupon_refusal(item.coupon_id, item.member_id, item.at));
  end loop;
  return refusals;
end $$;

-- Marks the coupons as redeemed.
create or replace function write_coupon_redemption(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item coupon_redemption_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coupon_redemption_row;
    perform coupon_redeem(item.coupon_id, item.member_id, item.at, null, _now);
  end loop;
end $$;

-- Rejects the redemption of a coupon for money: with the result of coupon_refusal, else of guard_bonus_start.
create or replace function guard_coupon_bonus(_rows text[]) returns text[] language plpgsql as $$
declare
  item coupon_bonus_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coupon_bonus_row;
    refusals := array_append(refusals, coalesce(
      coupon_refusal(item.coupon_id, (item.run).member_id, item.at),
      (guard_bonus_start(array[(item.run)::text]))[1]));
  end loop;
  return refusals;
end $$;

-- Starts the runs or plain grants and marks the coupons as redeemed by them.
create or replace function write_coupon_bonus(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item coupon_bonus_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coupon_bonus_row;
    perform write_bonus_start(array[(item.run)::text], array[_entries[i]], _now);
    perform coupon_redeem(item.coupon_id, (item.run).member_id, item.at, (item.run).id, _now);
  end loop;
end $$;

-- Counts new coupons of each prize: won ones in one row, those given by operators in another, so that the ledger's
-- batch never waits for operators who give many.
create or replace function coupon_given() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  insert into coupon_count as k (prize_id, by_operators, given, redeemed)
    select n.prize_id, n.batch_id is not null, count(*), count(*) filter (where n.state = 'CLAIMED')
    from added n
    group by 1, 2
    order by 1, 2
    on conflict (prize_id, by_operators)
      do update set given = k.given + excluded.given, redeemed = k.redeemed + excluded.redeemed;
  return null;
end $$;

-- Counts a redeemed coupon of its prize.
create or replace function coupon_redeemed() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  insert into coupon_count as k (prize_id, by_operators, redeemed)
    values (new.prize_id, false, 1)
    on conflict (prize_id, by_operators) do update set redeemed = k.redeemed + 1;
  return null;
end $$;

-- Counts coupons that are won or given.
create or replace trigger coupon_given
  after insert on coupon referencing new table as added for each statement
  execute function coupon_given();

-- Counts coupons that are redeemed.
create or replace trigger coupon_redeemed
  after update of state on coupon
  for each row when (new.state = 'CLAIMED' and old.state <> 'CLAIMED')
  execute function coupon_redeemed();

-- Counts the coupons that were there before the triggers, whose creation has locked out those who add more.
insert into coupon_count (prize_id, by_operators, given, redeemed)
  select c.prize_id, c.batch_id is not null, count(*), count(*) filter (where c.state = 'CLAIMED')
  from coupon c
  where not exists (select from coupon_count)
  group by 1, 2;

-- Notifies consoles of changed coupons.
create or replace trigger console_changed
  after update on coupon for each statement
  execute function console_changed('coupons');

insert into ledger_companion (name, guard_function, write_function) values
  ('coupon_redemption', 'guard_coupon_redemption', 'write_coupon_redemption'),
  ('coupon_bonus', 'guard_coupon_bonus', 'write_coupon_bonus')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- Records whether a new deposit earns coins, none while the wheel is switched off, and the day on which it counts:
-- that of the member's first deposit by the same bank transaction, so that one credited again after a reversal earns
-- nothing twice.
create or replace function coin_earns() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  new.earns_coins := exists (select 1 from setting where key = 'wheel.active' and value = 'true'::jsonb);
  select coin_day_of(d)
    into new.coin_day
    from deposit d
    where d.bank_code = new.bank_code and d.bank_reference = new.bank_reference and d.reversal_id is not null
      and d.member_id = new.member_id
    order by d.entry_id
    limit 1;
  return new;
end $$;

-- Returns the day in Bangkok time on which a deposit counts for coins.
create or replace function coin_day_of(_deposit deposit) returns date language sql immutable as $$
  select coalesce(_deposit.coin_day, (_deposit.created_at at time zone 'Asia/Bangkok')::date)
$$;

-- Adds a new deposit of any channel to the member's day, see coin_day_of, or subtracts a reversed one, and enqueues
-- the calculation of coins. A deposit that earns no coins is neither added nor subtracted.
create or replace function coin_count() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  if not new.earns_coins then return null; end if;
  if tg_op = 'INSERT' then
    insert into coin_day (member_id, day, deposited, is_open)
      values (new.member_id, coin_day_of(new), new.amount, true)
      on conflict (member_id, day)
        do update set deposited = coin_day.deposited + excluded.deposited, is_open = true;
  else
    update coin_day
      set deposited = greatest(deposited - new.amount, 0), is_open = true
      where member_id = new.member_id and day = coin_day_of(new);
    if not found then return null; end if;
  end if;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
  return null;
end $$;

-- Marks an amount in minor units of the member's deposits as withdrawn without having been bet, latest day first, and
-- enqueues the calculation of coins.
create or replace function coin_unplay(_member bigint, _amount bigint) returns void language plpgsql as $$
declare
  remaining bigint := _amount;
  part bigint;
  daily coin_day;
begin
  for daily in select * from coin_day c where c.member_id = _member order by c.day desc loop
    part := least(remaining, greatest(daily.deposited - daily.unplayed, 0));
    continue when part = 0;
    update coin_day
      set unplayed = unplayed + part, is_open = true
      where member_id = daily.member_id and day = daily.day;
    remaining := remaining - part;
    exit when remaining = 0;
  end loop;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
end $$;

-- Reports whether a refused withdrawal was sent again, once or repeatedly, and the last one has not failed too.
create or replace function withdrawal_sent_again(_id text) returns boolean language sql stable as $$
  with recursive again as (
    select w.id, w.status from withdrawal w where w.retry_of = _id
    union all
    select w.id, w.status from again a join withdrawal w on w.retry_of = a.id)
  select exists (select 1 from again a where a.status <> 'FAILED')
$$;

-- Keeps the days of deposits in step with a withdrawal that is sent again or has failed. A withdrawal that is sent
-- again takes over the unplayed amount of the one it repeats, which is marked on the days again; a failed one is
-- removed from the days. Enqueues the calculation of coins where a day changes.
create or replace function coin_withdrawn() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
declare
  remaining bigint;
  part bigint;
  daily coin_day;
begin
  if tg_op = 'INSERT' and new.retry_of is not null then
    insert into withdrawal_unplayed (withdrawal_id, amount)
      select new.id, u.amount from withdrawal_unplayed u where u.withdrawal_id = new.retry_of;
  end if;
  select u.amount into remaining from withdrawal_unplayed u where u.withdrawal_id = new.id;
  if coalesce(remaining, 0) = 0 then return null; end if;
  for daily in select * from coin_day c where c.member_id = new.member_id order by c.day desc loop
    part := least(remaining,
      case tg_op when 'INSERT' then greatest(daily.deposited - daily.unplayed, 0) else daily.unplayed end);
    continue when part = 0;
    update coin_day
      set unplayed = unplayed + case tg_op when 'INSERT' then part else -part end, is_open = true
      where member_id = daily.member_id and day = daily.day;
    remaining := remaining - part;
    exit when remaining = 0;
  end loop;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
  return null;
end $$;

-- Tells the member's screens that there are more or fewer coins or coupons.
create or replace function coin_notice(_member bigint, _now timestamptz) returns void language sql as $$
  select outbox_money(array[_member], array[jsonb_build_object(
    'kind', 'coins', 'id', _member::text, 'status', 'SUCCESS', 'minor', 0)], _now)
$$;

-- Rejects a change of a day's coins with STALE when the amounts it was calculated from have changed.
create or replace function guard_coin_change(_rows text[]) returns text[] language plpgsql as $$
declare
  item coin_change_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coin_change_row;
    refusals := array_append(refusals, case when not exists (
      select 1
      from coin_day d
      where d.member_id = item.member_id and d.day = item.day
        and d.deposited = item.deposited and d.unplayed = item.unplayed and d.turn = item.turn
    ) then 'STALE' end);
  end loop;
  return refusals;
end $$;

-- Adds the change to the coins granted for the day, marks the day as calculated, and tells the member's screens.
create or replace function write_coin_change(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item coin_change_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coin_change_row;
    -- A deposit of the same batch may have changed the day after the guard: the day then stays open.
    update coin_day d
      set granted = d.granted + item.change, turn = d.turn + 1, granted_for = item.granted_for,
        is_open = d.deposited <> item.deposited or d.unplayed <> item.unplayed
      where d.member_id = item.member_id and d.day = item.day;
    perform coin_notice(item.member_id, _now);
  end loop;
end $$;

-- Rejects an operator's grant of coins with the refusal of its approval.
create or replace function guard_coin_grant(_rows text[]) returns text[] language plpgsql as $$
declare
  item coin_grant_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coin_grant_row;
    refusals := array_append(refusals, operator_refusal(item.action));
  end loop;
  return refusals;
end $$;

-- Writes the grants of coins, in the name of the operator who requested approval where there was one, records the
-- operators' actions, and tells the members' screens.
create or replace function write_coin_grant(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item coin_grant_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::coin_grant_row;
    insert into coin_grant (id, member_id, operator_id, key, coins, reason, approval_id, entry_id, created_at)
      select item.id, item.member_id, coalesce(a.maker_id, (item.action).operator_id), item.key, item.coins,
        (item.action).reason, a.id, _entries[i], _now
      from (select 1) one
      left join approval a on a.id = (item.action).approval_id;
    perform operator_write(array[item.action], _now);
    perform coin_notice(item.member_id, _now);
  end loop;
end $$;

-- Records of each new deposit whether it earns coins.
create or replace trigger coin_earns
  before insert on deposit for each row
  execute function coin_earns();

-- Counts each new deposit.
create or replace trigger coin_count
  after insert on deposit for each row
  execute function coin_count();

-- Subtracts a deposit when it is reversed.
create or replace trigger coin_count_reversed
  after update of reversal_id on deposit
  for each row when (old.reversal_id is null and new.reversal_id is not null)
  execute function coin_count();

-- Removes a failed withdrawal from the days of deposits.
create or replace trigger coin_withdrawn_not
  after update of status on withdrawal
  for each row when (new.status = 'FAILED' and old.status <> 'FAILED')
  execute function coin_withdrawn();

-- Marks a withdrawal that is sent again on the days of deposits.
create or replace trigger coin_withdrawn_again
  after insert on withdrawal
  for each row when (new.retry_of is not null)
  execute function coin_withdrawn();

insert into ledger_companion (name, guard_function, write_function) values
  ('coin_change', 'guard_coin_change', 'write_coin_change'),
  ('coin_grant', 'guard_coin_grant', 'write_coin_grant')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

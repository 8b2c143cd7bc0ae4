-- Coins, the wheels they are spent on, and the coupons that wheels and operators give.

-- What a coupon is worth; never changed, so that coupons keep what was promised. Amounts in minor units, coins for COIN.
create table prize (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('BAHT', 'LAK')),
  kind text not null check (kind in ('CASH', 'BONUS', 'COIN', 'ITEM')),
  name jsonb not null,
  -- What it costs the house; for an ITEM only a figure for estimates.
  value bigint not null check (value >= 0 and (value > 0 or kind = 'ITEM')),
  -- Terms of the run that a BONUS starts.
  success_percent integer not null default 0 check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null default 0 check (fail_percent between 0 and 99),
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  run_days integer not null default 30 check (run_days between 1 and 365),
  -- How long a coupon can be claimed.
  coupon_days integer not null check (coupon_days between 1 and 365),
  -- Of everything above: the same wheel never has two prizes that are alike.
  fingerprint text not null unique,
  -- How often it was won, for the stock.
  won bigint not null default 0,
  -- While set, its coupons cannot be claimed.
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  check (kind = 'BONUS' or (success_percent = 0 and turnover_percent = 0))
);

create table wheel (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('BAHT', 'LAK')),
  state text not null check (state in ('DRAFT', 'OPEN', 'STOPPED')),
  -- The version that was published last; null: none yet.
  version integer,
  latest integer not null,
  changed_by text not null,
  changed_at timestamptz not null,
  check (state = 'DRAFT' or version is not null)
);
create unique index wheel_open on wheel (currency) where state = 'OPEN';

-- A version is written once and never changed; a change is the next one.
create table wheel_version (
  wheel_id bigint not null references wheel,
  version integer not null,
  name jsonb not null,
  cost_per_spin integer not null check (cost_per_spin between 1 and 1000),
  -- The version it was copied from, if it goes back to an earlier one.
  reverts_to integer,
  made_by text not null,
  made_at timestamptz not null,
  published_at timestamptz,
  primary key (wheel_id, version)
);

create table wheel_slice (
  wheel_id bigint not null,
  version integer not null,
  position smallint not null,
  code text not null,
  label jsonb not null,
  bg_color text not null check (bg_color ~ '^#[0-9a-f]{6}$'),
  text_color text not null check (text_color ~ '^#[0-9a-f]{6}$'),
  html jsonb not null,
  weight integer not null check (weight between 0 and 1000000),
  -- Null: a blank slice.
  prize_id bigint references prize,
  -- How often its prize may be won altogether; null: any number.
  stock bigint check (stock >= 0),
  primary key (wheel_id, version, position),
  unique (wheel_id, version, code),
  foreign key (wheel_id, version) references wheel_version,
  check (prize_id is not null or stock is null)
);

create table coupon_batch (
  id text primary key,
  prize_id bigint not null references prize,
  operator_id bigint not null references operator,
  reason text not null,
  created_at timestamptz not null
);

create table coupon (
  id text primary key,
  member_id bigint not null references member,
  prize_id bigint not null references prize,
  -- Code of the slice it was won on, or the batch an operator gave it with.
  slice_code text,
  batch_id text references coupon_batch,
  state text not null check (state in ('OPEN', 'CLAIMED', 'REVOKED')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was claimed or revoked.
  ended_at timestamptz check ((ended_at is null) = (state = 'OPEN')),
  -- The run, or statement row, that a CASH or BONUS became.
  run_id text references bonus_run,
  -- An ITEM's handing over.
  delivered_at timestamptz check (delivered_at is null or state = 'CLAIMED'),
  check ((slice_code is null) <> (batch_id is null))
);
create index coupon_of on coupon (member_id, prize_id, expires_at);
create index coupon_made on coupon (created_at);
create index coupon_batch_of on coupon (batch_id) where batch_id is not null;

create table spin (
  id text primary key,
  member_id bigint not null references member,
  wheel_id bigint not null,
  version integer not null,
  position smallint not null,
  cost integer not null,
  -- The weights it was drawn from, in the order of the slices: 0 for what was out of stock.
  weights integer[] not null,
  coupon_id text references coupon,
  entry_id bigint not null,
  created_at timestamptz not null,
  foreign key (wheel_id, version, position) references wheel_slice
);
create index spin_of on spin (member_id, created_at);
create index spin_on on spin (wheel_id, version, position);

-- What a member paid in on a day in Bangkok, and the coins he was given for it.
create table coin_day (
  member_id bigint not null references member,
  day date not null,
  deposited bigint not null,
  -- What of it was withdrawn again without having been bet.
  unplayed bigint not null default 0,
  granted bigint not null default 0 check (granted >= 0),
  -- Something has changed since the coins were last reckoned.
  is_open boolean not null,
  turn integer not null default 0,
  primary key (member_id, day)
);
create index coin_day_open on coin_day (member_id) where is_open;

-- Every deposit passes here, whatever brought it. While no wheel turns nothing is counted.
create function coin_count() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger coin_count after insert on deposit for each row execute function coin_count();
create trigger coin_count_reversed after update of reversal_id on deposit for each row
  when (old.reversal_id is null and new.reversal_id is not null) execute function coin_count();

-- `deposited`, `unplayed` and `turn` are what the coins were worked out on; `change` is added to those given.
create type coin_day_row as (member_id bigint, day date, deposited bigint, unplayed bigint, turn integer, change bigint);

create function guard_coin_day(_rows text[]) returns text[] language plpgsql as $$
declare r coin_day_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_day_row;
    said := array_append(said, case when not exists (select 1 from coin_day d where d.member_id = r.member_id and d.day = r.day
      and d.deposited = r.deposited and d.unplayed = r.unplayed and d.turn = r.turn) then 'STALE' end);
  end loop;
  return said;
end $$;

create function write_coin_day(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
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

create type spin_row as (
  id text, member_id bigint, wheel_id bigint, version integer, "position" smallint, cost integer, weights text,
  coupon_id text, expires_at timestamptz
);

-- STALE: the wheel or its stock is not any more what was drawn from. Spins on one limited prize never meet in a batch.
create function guard_spin(_rows text[]) returns text[] language plpgsql as $$
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

create function write_spin(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
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

-- Why a coupon cannot be claimed at this moment, or null; it is locked, so that it is not revoked meanwhile.
create function coupon_refusal(_id text, _member bigint, _at timestamptz) returns text language plpgsql as $$
begin
  perform 1 from coupon c join prize p on p.id = c.prize_id
    where c.id = _id and c.member_id = _member and c.state = 'OPEN' and c.expires_at > _at and p.withdrawn_at is null for update of c;
  if not found then return 'STALE'; end if;
  if exists (select 1 from bonus_run r where r.member_id = _member and r.state = 'ACTIVE') then return 'BONUS_REMAINING'; end if;
  return null;
end $$;

-- Coins, and items for operators to deliver. Claims of one member never meet in a batch.
create type coupon_claim_row as (coupon_id text, member_id bigint, at timestamptz);

create function guard_coupon_claim(_rows text[]) returns text[] language plpgsql as $$
declare r coupon_claim_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_claim_row;
    said := array_append(said, coupon_refusal(r.coupon_id, r.member_id, r.at));
  end loop;
  return said;
end $$;

create function write_coupon_claim(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coupon_claim_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_claim_row;
    update coupon set state = 'CLAIMED', ended_at = _now where id = r.coupon_id;
  end loop;
end $$;

-- Money: the claim, and the start of its run or the plain grant.
create type coupon_bonus_row as (coupon_id text, at timestamptz, run bonus_start_row);

create function guard_coupon_bonus(_rows text[]) returns text[] language plpgsql as $$
declare r coupon_bonus_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_bonus_row;
    said := array_append(said, coalesce(coupon_refusal(r.coupon_id, (r.run).member_id, r.at), (guard_bonus_start(array[(r.run)::text]))[1]));
  end loop;
  return said;
end $$;

create function write_coupon_bonus(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coupon_bonus_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coupon_bonus_row;
    perform write_bonus_start(array[(r.run)::text], array[_entries[i]], _now);
    update coupon set state = 'CLAIMED', ended_at = _now, run_id = (r.run).id where id = r.coupon_id;
  end loop;
end $$;

insert into ledger_companion values
  ('coin_day', 'guard_coin_day', 'write_coin_day'),
  ('spin', 'guard_spin', 'write_spin'),
  ('coupon_claim', 'guard_coupon_claim', 'write_coupon_claim'),
  ('coupon_bonus', 'guard_coupon_bonus', 'write_coupon_bonus');

grant select on spin, coin_day to krapao_app;
grant update (is_open) on coin_day to krapao_app;
grant select, insert on wheel_version, wheel_slice, coupon_batch to krapao_app;
grant update (published_at) on wheel_version to krapao_app;
grant select, insert, update on wheel to krapao_app;
grant select, insert on prize, coupon to krapao_app;
grant update (withdrawn_at) on prize to krapao_app;
grant update (state, ended_at, delivered_at) on coupon to krapao_app;

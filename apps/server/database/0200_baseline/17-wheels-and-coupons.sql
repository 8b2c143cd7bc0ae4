-- Wheels, coupons, coins

-- Prizes. Their values never change, so that a coupon is worth what was promised. Amounts in minor units, or coins
-- for COIN.
create table prize (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('BAHT', 'LAK')),
  kind text not null check (kind in ('CASH', 'BONUS', 'COIN', 'ITEM')),
  name jsonb not null,
  -- Cost of the prize; for an ITEM an estimate.
  value bigint not null check (value >= 0 and (value > 0 or kind = 'ITEM')),
  -- Terms of the run that a BONUS starts.
  success_percent integer not null default 0 check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null default 0 check (fail_percent between 0 and 99),
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  run_days integer not null default 30 check (run_days between 1 and 365),
  -- Days in which a coupon can be redeemed.
  coupon_days integer not null check (coupon_days between 1 and 365),
  -- Hash of all columns above: equal prizes are one row.
  fingerprint text not null unique,
  -- Number of times won, for the stock.
  won bigint not null default 0,
  -- Set: its coupons can't be redeemed.
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  check (kind = 'BONUS' or (success_percent = 0 and turnover_percent = 0))
);

-- Wheels, at most one open for each currency.
create table wheel (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('BAHT', 'LAK')),
  state text not null check (state in ('DRAFT', 'OPEN', 'STOPPED')),
  -- The published version; null: none yet.
  version integer,
  latest integer not null,
  changed_by text not null,
  changed_at timestamptz not null,
  check (state = 'DRAFT' or version is not null)
);
create unique index wheel_open on wheel (currency) where state = 'OPEN';

-- Versions of a wheel, which are written once and never changed.
create table wheel_version (
  wheel_id bigint not null references wheel,
  version integer not null,
  name jsonb not null,
  cost_per_spin integer not null check (cost_per_spin between 1 and 1000),
  -- The earlier version that this one restores.
  reverts_to integer,
  made_by text not null,
  made_at timestamptz not null,
  published_at timestamptz,
  primary key (wheel_id, version)
);

-- Slices of a version of a wheel.
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
  -- How often the prize can be won in all; null: unlimited.
  stock bigint check (stock >= 0),
  primary key (wheel_id, version, position),
  unique (wheel_id, version, code),
  foreign key (wheel_id, version) references wheel_version,
  check (prize_id is not null or stock is null)
);

-- Coupons that an operator gave together.
create table coupon_batch (
  id text primary key,
  prize_id bigint not null references prize,
  operator_id bigint not null references operator,
  reason text not null,
  created_at timestamptz not null,
  -- Made by the console; makes the batch once-only.
  key text,
  approval_id text references approval
);
create unique index coupon_batch_key on coupon_batch (operator_id, key) where key is not null;

-- Coupons of members for a prize.
create table coupon (
  id text primary key,
  member_id bigint not null references member,
  prize_id bigint not null references prize,
  -- Code of the slice that won it, or the batch an operator gave it with.
  slice_code text,
  batch_id text references coupon_batch,
  state text not null check (state in ('OPEN', 'CLAIMED', 'REVOKED')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was redeemed or revoked.
  ended_at timestamptz check ((ended_at is null) = (state = 'OPEN')),
  -- The run that a CASH or BONUS coupon started, which is also the id of its statement row.
  run_id text references bonus_run,
  -- When an ITEM was delivered.
  delivered_at timestamptz check (delivered_at is null or state = 'CLAIMED'),
  check ((slice_code is null) <> (batch_id is null))
);
create index coupon_of on coupon (member_id, prize_id, expires_at);
create index coupon_made on coupon (created_at);
create index coupon_batch_of on coupon (batch_id) where batch_id is not null;
-- For the page of a prize, which counts and lists its coupons.
create index coupon_of_prize on coupon (prize_id, id);

-- Spins of wheels.
create table spin (
  id text primary key,
  member_id bigint not null references member,
  wheel_id bigint not null,
  version integer not null,
  position smallint not null,
  cost integer not null,
  -- Weights of the draw in the order of the slices; 0 for a prize out of stock.
  weights integer[] not null,
  coupon_id text references coupon,
  entry_id bigint not null,
  created_at timestamptz not null,
  foreign key (wheel_id, version, position) references wheel_slice
);
create index spin_of on spin (member_id, created_at);
create index spin_on on spin (wheel_id, version, position);

create type spin_row as (
  id text, member_id bigint, wheel_id bigint, version integer, "position" smallint, cost integer, weights text,
  coupon_id text, expires_at timestamptz
);

-- Redeems a coupon for coins or an item. Two redemptions of one member are never in one batch.
create type coupon_redemption_row as (coupon_id text, member_id bigint, at timestamptz);

-- Redeems a coupon for money, and starts its run or plain grant.
create type coupon_bonus_row as (coupon_id text, at timestamptz, run bonus_start_row);

-- Deposits of a member on one day in Bangkok time, in minor units, and the coins granted for them.
create table coin_day (
  member_id bigint not null references member,
  day date not null,
  deposited bigint not null,
  -- Part of the deposits that was withdrawn without having been bet.
  unplayed bigint not null default 0,
  granted bigint not null default 0 check (granted >= 0),
  -- The amounts have changed since the coins were last calculated.
  is_open boolean not null,
  turn integer not null default 0,
  primary key (member_id, day)
);
create index coin_day_open on coin_day (member_id) where is_open;

-- `deposited`, `unplayed` and `turn` are what the coins were calculated from; `change` is added to the coins granted.
create type coin_day_row as (
  member_id bigint, day date, deposited bigint, unplayed bigint, turn integer, change bigint
);

-- Coins that operators gave.
create table coin_grant (
  id text primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  key text not null,
  coins bigint not null check (coins > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index coin_grant_of on coin_grant (member_id, created_at);

create type coin_grant_row as (action operator_action_row, id text, member_id bigint, key text, coins bigint);

grant select, insert, update (withdrawn_at) on prize to krapao_app;
grant select, insert, update on wheel to krapao_app;
grant select, insert, update (published_at) on wheel_version to krapao_app;
grant select, insert on wheel_slice, coupon_batch to krapao_app;
grant select, insert, update (state, ended_at, delivered_at) on coupon to krapao_app;
grant select on spin, coin_grant to krapao_app;
grant select, update (is_open) on coin_day to krapao_app;

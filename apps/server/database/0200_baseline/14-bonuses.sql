-- Bonuses and promotion codes

-- Bonuses and promotions: the terms under which money is granted.
create table bonus (
  id bigint generated always as identity primary key,
  code text not null unique,
  -- A promotion is found by its code only.
  kind text not null check (kind in ('bonus', 'promotion')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- {"th", "la", "en"}
  title jsonb not null,
  -- [{"image", "html": {"th", "la", "en"}}]
  banners jsonb not null default '[]',
  -- A fixed amount in minor units, or a percentage of the qualifying deposit, at most `award_max`.
  award text not null check (award in ('fixed', 'percent')),
  award_amount bigint check (award_amount > 0),
  award_percent integer check (award_percent between 1 and 1000),
  award_max bigint check (award_max > 0),
  -- Null: no deposit is required.
  deposit_min bigint check (deposit_min > 0),
  deposit_max bigint check (deposit_max >= deposit_min),
  success_percent integer not null check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null check (fail_percent between 0 and 99),
  -- Required bets in percent of the base: 500 is five times.
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  -- Slot code to the weight of its bets in percent; null: every game at full weight.
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  days integer not null default 30 check (days between 1 and 365),
  -- Period in which `max_received` counts: for ever, a day, or a week from Monday.
  count_by text not null check (count_by in ('limit', 'day', 'week')),
  max_received integer not null check (max_received > 0),
  -- Number of runs over all members; null: unlimited.
  quota integer check (quota > 0),
  is_open boolean not null,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  position integer not null default 0,
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamptz not null,
  changed_reason text,
  -- The version that this one restores.
  reverts integer,
  -- The promotion has single-use codes, created in batches, instead of its own code.
  single_codes boolean not null default false,
  -- Full description: {"th", "la", "en"}, html.
  description jsonb not null default '{"th": "", "la": "", "en": ""}' check (jsonb_typeof(description) = 'object'),
  check (case award
    when 'fixed' then award_amount is not null
    else award_percent is not null and deposit_min is not null
  end)
);

-- All versions of bonuses.
create table bonus_version (
  bonus_id bigint not null references bonus,
  version integer not null,
  -- The row of that version.
  row jsonb not null,
  primary key (bonus_id, version)
);

-- Runs: money granted under terms until it is won, lost, given up or expired.
create table bonus_run (
  -- Also the id of its statement row.
  id text primary key,
  member_id bigint not null references member,
  wallet_account bigint not null,
  kind text not null check (kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  bonus_id bigint references bonus,
  bonus_version integer,
  label text not null,
  -- A deposit backs one run only.
  deposit_id text unique references deposit,
  -- The part of the deposit that was available at the start, and the granted amount; together the base.
  qualifying bigint not null check (qualifying >= 0),
  granted bigint not null check (granted > 0),
  -- The rest of the balance at the start, which is not bound.
  unbound bigint not null,
  -- The terms at the start.
  success_percent integer not null,
  fail_percent integer not null,
  turnover_percent integer not null,
  games jsonb,
  withdraw_max bigint,
  expires_at timestamptz not null,
  -- PLAIN: granted without conditions, ended at once.
  state text not null check (state in ('ACTIVE', 'PLAIN', 'SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED')),
  entry_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'ACTIVE')),
  ended_by text,
  taken bigint not null default 0,
  -- Bets as last reported by the providers, in minor units.
  turnover bigint not null default 0,
  -- Since when the run can't be decided because a partner does not respond.
  stuck_since timestamptz
);
create unique index bonus_run_active on bonus_run (member_id) where state = 'ACTIVE';
create index bonus_run_received on bonus_run (member_id, bonus_id, started_at);
create index bonus_run_of_bonus on bonus_run (bonus_id) where bonus_id is not null;
create index bonus_run_due on bonus_run (expires_at) where state = 'ACTIVE';
-- For lists of runs, newest first: ids sort by time.
create index bonus_run_member on bonus_run (member_id, id);
create index bonus_run_bonus on bonus_run (bonus_id, id) where bonus_id is not null;
-- For reports over days: runs started, and runs that took money back.
create index bonus_run_started on bonus_run using brin (started_at);
create index bonus_run_taken on bonus_run (ended_at) where taken > 0;

-- Batches of single-use codes of a promotion.
create table promotion_batch (
  id text primary key,
  bonus_id bigint not null references bonus,
  made_by text not null,
  made_at timestamptz not null,
  reason text,
  revoked_at timestamptz,
  revoked_by text
);
create index promotion_batch_of_bonus on promotion_batch (bonus_id, id);

-- Single-use codes.
create table promotion_code (
  code text primary key,
  batch_id text not null references promotion_batch,
  -- The run that used the code.
  run_id text unique references bonus_run,
  used_at timestamptz
);
create index promotion_code_of_batch on promotion_code (batch_id, code);

-- `seen_total` is the member's total that the terms were calculated from. Receipts since `received_since` count;
-- null: all.
create type bonus_start_row as (
  id text, member_id bigint, wallet_account bigint, kind text, bonus_id bigint, bonus_version integer, label text,
  deposit_id text, qualifying bigint, granted bigint, success_percent integer, fail_percent integer,
  turnover_percent integer, games jsonb, withdraw_max bigint, expires_at timestamptz, seen_total bigint,
  received_since timestamptz
);

-- `standing` is the balance that decided the end; `row_id` is the id of the statement row.
create type bonus_end_row as (
  run_id text, row_id text, state text, taken bigint, standing bigint, turnover bigint, ended_by text
);

create type operator_bonus_end_row as (action operator_action_row, ending bonus_end_row);

create type promotion_code_start_row as (run bonus_start_row, code text);

grant select, insert, update on bonus to krapao_app;
grant select on bonus_version to krapao_app;
grant select, update (turnover, stuck_since) on bonus_run to krapao_app;
grant select, insert, update (revoked_at, revoked_by) on promotion_batch to krapao_app;
grant select, insert on promotion_code to krapao_app;

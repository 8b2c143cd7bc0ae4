-- Bonuses and promotion codes

-- Bonuses and the runs they start: money granted under terms, until it is won through, lost or given up.
create table bonus (
  id bigint generated always as identity primary key,
  code text not null unique,
  -- A promotion is hidden behind its code.
  kind text not null check (kind in ('bonus', 'promotion')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- {"th", "la", "en"}
  title jsonb not null,
  -- [{"image", "html": {"th", "la", "en"}}]
  banners jsonb not null default '[]',
  -- Amounts are minor units. A fixed amount, or percent of the qualifying deposit, at most award_max.
  award text not null check (award in ('fixed', 'percent')),
  award_amount bigint check (award_amount > 0),
  award_percent integer check (award_percent between 1 and 1000),
  award_max bigint check (award_max > 0),
  -- Null: no deposit is needed.
  deposit_min bigint check (deposit_min > 0),
  deposit_max bigint check (deposit_max >= deposit_min),
  success_percent integer not null check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null check (fail_percent between 0 and 99),
  -- Bets needed, in percent of the base: 500 is five times.
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  -- Slot code to the weight in percent at which its bets count; null: every game, at its full weight.
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  days integer not null default 30 check (days between 1 and 365),
  -- How receipts of one member are counted against max_received: for ever, by the day, by the week from Monday.
  count_by text not null check (count_by in ('limit', 'day', 'week')),
  max_received integer not null check (max_received > 0),
  -- How many members altogether; null: any number.
  quota integer check (quota > 0),
  is_open boolean not null,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  position integer not null default 0,
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamptz not null,
  -- Every version of a bonus is kept, whoever wrote it, and members in sight of it see a change at once.
  changed_reason text,
  -- The version this one brought back.
  reverts integer,
  -- A promotion may be received by codes for one person each, made in batches, instead of by its own.
  single_codes boolean not null default false,
  -- What a bonus or promotion tells about itself in full: {"th", "la", "en"}, html.
  description jsonb not null default '{"th": "", "la": "", "en": ""}' check (jsonb_typeof(description) = 'object'),
  check (case award when 'fixed' then award_amount is not null else award_percent is not null and deposit_min is not null end)
);

create table bonus_version (
  bonus_id bigint not null references bonus,
  version integer not null,
  -- The row as it was.
  row jsonb not null,
  primary key (bonus_id, version)
);

create table bonus_run (
  -- Also the id of its statement row.
  id text primary key,
  member_id bigint not null references member,
  wallet_account bigint not null,
  kind text not null check (kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  bonus_id bigint references bonus,
  bonus_version integer,
  label text not null,
  -- A deposit backs one run, for ever.
  deposit_id text unique references deposit,
  -- What of the deposit was there at the start, and what was granted: together the base.
  qualifying bigint not null check (qualifying >= 0),
  granted bigint not null check (granted > 0),
  -- The rest of the balance at the start, which is not bound.
  unbound bigint not null,
  -- Terms, frozen.
  success_percent integer not null,
  fail_percent integer not null,
  turnover_percent integer not null,
  games jsonb,
  withdraw_max bigint,
  expires_at timestamptz not null,
  -- PLAIN: money without conditions, over as soon as it was granted.
  state text not null check (state in ('ACTIVE', 'PLAIN', 'SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED')),
  entry_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'ACTIVE')),
  ended_by text,
  taken bigint not null default 0,
  -- Bets counted as the providers last told, in minor units.
  turnover bigint not null default 0,
  -- Since when the run could not be decided because somebody outside was silent.
  stuck_since timestamptz
);
create unique index bonus_run_active on bonus_run (member_id) where state = 'ACTIVE';
create index bonus_run_received on bonus_run (member_id, bonus_id, started_at);
create index bonus_run_of_bonus on bonus_run (bonus_id) where bonus_id is not null;
create index bonus_run_due on bonus_run (expires_at) where state = 'ACTIVE';
-- Lists of runs: of a member and of a bonus, newest first; ids sort by time.
create index bonus_run_member on bonus_run (member_id, id);
create index bonus_run_bonus on bonus_run (bonus_id, id) where bonus_id is not null;
-- Reports over days find the runs that were started, and those that gave money back; both indexes cost next to nothing.
create index bonus_run_started on bonus_run using brin (started_at);
create index bonus_run_taken on bonus_run (ended_at) where taken > 0;

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

create table promotion_code (
  code text primary key,
  batch_id text not null references promotion_batch,
  -- The run it was used up by.
  run_id text unique references bonus_run,
  used_at timestamptz
);
create index promotion_code_of_batch on promotion_code (batch_id, code);

-- `seen_total` is what the terms were worked out on. `received_since` is where counting begins; null counts for ever.
create type bonus_start_row as (
  id text, member_id bigint, wallet_account bigint, kind text, bonus_id bigint, bonus_version integer, label text,
  deposit_id text, qualifying bigint, granted bigint, success_percent integer, fail_percent integer, turnover_percent integer,
  games jsonb, withdraw_max bigint, expires_at timestamptz, seen_total bigint, received_since timestamptz
);

-- `standing` is what the end was decided on; `row_id` names its statement row.
create type bonus_end_row as (run_id text, row_id text, state text, taken bigint, standing bigint, turnover bigint, ended_by text);

create type desk_bonus_end_row as (act desk_act_row, ending bonus_end_row);

create type promotion_code_start_row as (run bonus_start_row, code text);

grant select, insert, update on bonus to krapao_app;
grant select on bonus_version to krapao_app;
grant select, update (turnover, stuck_since) on bonus_run to krapao_app;
grant select, insert, update (revoked_at, revoked_by) on promotion_batch to krapao_app;
grant select, insert on promotion_code to krapao_app;

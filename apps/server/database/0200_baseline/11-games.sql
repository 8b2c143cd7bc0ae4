-- Games: providers, games, game accounts, transfers

-- A whole provider under maintenance: none of its games is entered, whatever each says of itself; money comes out.
create table game_provider (
  -- As `slot.adapter`.
  adapter text primary key,
  is_in_maintenance boolean not null,
  changed_by text not null,
  changed_at timestamptz not null
);

-- Games, the accounts members open in them, and money on its way to or from a provider.
create table slot (
  code text primary key,
  name text not null,
  category text not null check (category in ('slot', 'sport', 'lotto')),
  adapter text not null,
  -- The agent at the provider, and the name auto-login knows the game by.
  agent text not null,
  launch_name text not null unique,
  -- Wallet currency per credit, in millionths.
  rate_micro bigint not null check (rate_micro > 0),
  unknown_user_code text not null default 'NO_USER' check (unknown_user_code in ('NO_USER', 'NOT_AREASLOT', 'NOT_UFABET')),
  logo text not null,
  background text not null,
  web text,
  android text,
  ios text,
  is_open boolean not null default true,
  position integer not null,
  -- Games on offer are run from the console.
  -- Under maintenance nobody enters or pays in; money comes out as ever. Closed (is_open false) also hides the game from
  -- members who have nothing in it.
  is_in_maintenance boolean not null default false,
  -- Least that one transfer may take into the game, in hundredths of a credit.
  least_in bigint check (least_in > 0),
  version integer not null default 1
);

-- What happens to a game account is put in order by a counter of the database: the clocks of several servers differ, and
-- by them a transfer that ended while a balance was read looked older than the question.
create sequence game_turn;

create table game_account (
  member_id bigint not null references member,
  slot_code text not null references slot,
  username text not null,
  password_sealed bytea not null,
  mirror_account bigint not null,
  -- OPENING while the provider has not yet said that the account exists.
  state text not null check (state in ('OPENING', 'ACTIVE')),
  -- A changed rate reaches an account once its balance is 0, so the rate of today is kept here.
  rate_micro bigint not null,
  -- Hundredths of a credit, as last reported.
  credits bigint not null default 0,
  outstanding bigint not null default 0,
  asked_at timestamptz,
  created_at timestamptz not null,
  -- Game accounts: the event an account belongs to at providers that have several, and a password on its way.
  event text,
  -- Sent to the provider, not yet known to have arrived there: sent again until it says so.
  next_password_sealed bytea,
  password_asked_at timestamptz,
  -- Taken before the balance was asked for.
  asked_turn bigint,
  -- The database's time at which somebody took the right to open the account; a later caller takes it over after a while.
  reserved_at timestamptz not null default now(),
  primary key (member_id, slot_code),
  unique (slot_code, username)
);

create table provider_transfer (
  id text primary key,
  member_id bigint not null references member,
  slot_code text not null references slot,
  direction text not null check (direction in ('IN', 'OUT')),
  amount bigint not null check (amount > 0),
  credits bigint not null check (credits > 0),
  state text not null check (state in ('RESERVED', 'UNKNOWN', 'DONE', 'FAILED')),
  asked integer not null default 0,
  created_at timestamptz not null,
  touched_at timestamptz not null,
  -- Real time of sending, by the database: the grace given to a provider that says it has never seen the reference.
  sent_at timestamptz not null default now(),
  watched_since timestamptz,
  watch_asked_at timestamptz,
  -- Null: from before there were turns.
  ended_turn bigint
);
create index provider_transfer_open on provider_transfer (sent_at) where state in ('RESERVED', 'UNKNOWN');
create index provider_transfer_of_account on provider_transfer (member_id, slot_code, touched_at);
create index provider_transfer_made on provider_transfer (created_at);
create index provider_transfer_of on provider_transfer (member_id, created_at);
create index provider_transfer_watched on provider_transfer (watched_since) where watched_since is not null;

create type transfer_intent_row as (id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint);

create type transfer_end_row as (id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint, state text);

create type desk_transfer_row as (act desk_act_row, ending transfer_end_row, state text);

create type game_reading_row as (member_id bigint, slot_code text, credits bigint, outstanding bigint, asked_at timestamptz, turn bigint,
  mirror_account bigint, mirror_version bigint);

create type desk_game_reading_row as (act desk_act_row, reading game_reading_row);

grant select, insert, update on game_provider, slot to krapao_app;
grant usage on sequence game_turn to krapao_app;
grant select, insert, update, delete on game_account to krapao_app;
grant select, update on provider_transfer to krapao_app;

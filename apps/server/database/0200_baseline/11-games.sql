-- Games: providers, games, game accounts, transfers

-- Providers under maintenance: members can't enter any of their games or pay in, but can take money out.
create table game_provider (
  -- The same as slot.adapter.
  adapter text primary key,
  is_in_maintenance boolean not null,
  changed_by text not null,
  changed_at timestamptz not null
);

-- Games.
create table slot (
  code text primary key,
  name text not null,
  category text not null check (category in ('slot', 'sport', 'lotto')),
  adapter text not null,
  -- The agent at the provider, and the name of the game for automatic login.
  agent text not null,
  launch_name text not null unique,
  -- Wallet currency per credit, in millionths.
  rate_micro bigint not null check (rate_micro > 0),
  unknown_user_code text not null default 'NO_USER'
    check (unknown_user_code in ('NO_USER', 'NOT_AREASLOT', 'NOT_UFABET')),
  logo text not null,
  background text not null,
  web text,
  android text,
  ios text,
  is_open boolean not null default true,
  position integer not null,
  -- Under maintenance: nobody can enter or pay in; money can be taken out. Closed (is_open false): also hidden from
  -- members who have no balance in the game.
  is_in_maintenance boolean not null default false,
  -- Least amount of one transfer into the game, in hundredths of a credit.
  least_in bigint check (least_in > 0),
  version integer not null default 1
);

-- Orders transfers and balance readings of game accounts. Timestamps can't: the clocks of servers differ, so a
-- transfer that ended during a reading could look older than the reading.
create sequence game_turn;

-- Members' accounts in games.
create table game_account (
  member_id bigint not null references member,
  slot_code text not null references slot,
  username text not null,
  password_sealed bytea not null,
  mirror_account bigint not null,
  -- OPENING until the provider has confirmed the account.
  state text not null check (state in ('OPENING', 'ACTIVE')),
  -- Rate of this account. A changed rate of the game applies once the balance is zero.
  rate_micro bigint not null,
  -- Hundredths of a credit, as last reported by the provider.
  credits bigint not null default 0,
  outstanding bigint not null default 0,
  asked_at timestamptz,
  created_at timestamptz not null,
  -- The event an account belongs to, at providers that have several.
  event text,
  -- A new password that the provider has not confirmed; it is sent again until then.
  next_password_sealed bytea,
  password_asked_at timestamptz,
  -- Number from game_turn taken before the balance was queried.
  asked_turn bigint,
  -- Database time at which a caller reserved the opening of the account. After some seconds another caller may take
  -- over.
  reserved_at timestamptz not null default now(),
  primary key (member_id, slot_code),
  unique (slot_code, username)
);

-- Transfers between wallets and games.
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
  -- Database time of sending, for the grace period before a provider's "unknown reference" counts as proof.
  sent_at timestamptz not null default now(),
  watched_since timestamptz,
  watch_asked_at timestamptz,
  -- Number from game_turn taken at the end; null for transfers older than the sequence.
  ended_turn bigint
);
create index provider_transfer_open on provider_transfer (sent_at) where state in ('RESERVED', 'UNKNOWN');
create index provider_transfer_of_account on provider_transfer (member_id, slot_code, touched_at);
create index provider_transfer_made on provider_transfer (created_at);
create index provider_transfer_of on provider_transfer (member_id, created_at);
create index provider_transfer_watched on provider_transfer (watched_since) where watched_since is not null;

create type transfer_intent_row as (
  id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint
);

create type transfer_end_row as (
  id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint, state text
);

create type operator_transfer_row as (action operator_action_row, ending transfer_end_row, state text);

create type game_reading_row as (
  member_id bigint, slot_code text, credits bigint, outstanding bigint, asked_at timestamptz, turn bigint,
  mirror_account bigint, mirror_version bigint
);

create type operator_game_reading_row as (action operator_action_row, reading game_reading_row);

grant select, insert, update on game_provider, slot to krapao_app;
grant usage on sequence game_turn to krapao_app;
grant select, insert, update, delete on game_account to krapao_app;
grant select, update on provider_transfer to krapao_app;

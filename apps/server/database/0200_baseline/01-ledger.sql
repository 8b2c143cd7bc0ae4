-- Ledger: accounts, entries, postings, holds; and the saved answers of idempotent calls

-- The money core: accounts, entries, postings, holds and the one function that writes them.
-- Why a function with its owner's rights: the application's role can read these tables and can change none of them,
-- so a bug or a stolen connection cannot move money outside the rules below.
create table ledger_asset (
  id smallint primary key,
  code text not null unique,
  decimals smallint not null
);

-- A member's account never goes below zero. A house account may: money that came in from outside stands there as a
-- negative balance, so that all balances of one asset always sum to zero.
create table ledger_account (
  id bigint generated always as identity primary key,
  asset smallint not null references ledger_asset,
  kind text not null,
  member_id bigint,
  slot_code text,
  allow_negative boolean not null,
  balance bigint not null default 0,
  version bigint not null default 0,
  created_at timestamptz not null,
  check (allow_negative or balance >= 0),
  check ((member_id is null) = allow_negative)
) with (fillfactor = 50
);
create unique index ledger_account_member on ledger_account (member_id, kind, coalesce(slot_code, ''))
  where member_id is not null;
create unique index ledger_account_house on ledger_account (kind, asset) where member_id is null;

create table ledger_batch (
  id bigint generated always as identity primary key,
  entries integer not null,
  created_at timestamptz not null,
  hash bytea not null
);

create sequence ledger_entry_id as bigint;

create table ledger_entry (
  id bigint primary key,
  batch_id bigint not null,
  kind text not null,
  reference text not null unique,
  member_id bigint,
  hold_key text,
  created_at timestamptz not null,
  digest bytea not null
);
-- Entries are written in the order of their batches, so a block range index finds them and costs nothing to keep.
create index ledger_entry_batch on ledger_entry using brin (batch_id);
create index ledger_entry_at on ledger_entry using brin (created_at);

create table ledger_posting (
  account_id bigint not null,
  entry_id bigint not null,
  leg smallint not null,
  amount bigint not null,
  balance_after bigint not null,
  primary key (account_id, entry_id, leg)
);

-- What a hold is for stands in its key, for example 'withdrawal:WD01…'. It is closed once, posted or released.
create table ledger_hold (
  key text primary key,
  from_account bigint not null,
  hold_account bigint not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('OPEN', 'POSTED', 'RELEASED')),
  opened_by bigint not null,
  closed_by bigint
) with (fillfactor = 80
);

-- Rows that explain an entry and commit with it. guard_function(rows text[]) returns text[] (a refusal code or null
-- each) is asked under the ledger's lock before money is decided; write_function(rows text[], entries bigint[],
-- now timestamptz) writes what explains the accepted ones.
create table ledger_companion (
  name text primary key,
  guard_function text,
  write_function text not null
);

-- One saved answer per member, call and key (Stripe's contract): state RUNNING until the call has ended.
create table idempotency (
  member_id bigint not null,
  call text not null,
  key text not null,
  body_hash text not null,
  state text not null check (state in ('RUNNING', 'DONE')),
  refused boolean not null,
  answer text not null,
  wallet_after bigint,
  created_at timestamptz not null,
  primary key (member_id, call, key)
);
create index idempotency_age on idempotency using brin (created_at);

-- A call that died before anything moved leaves its key taken. A repeat ends it: what it had promised to move may never
-- move any more, and the key is free. Whoever comes late with a promised move is refused by the same ledger.
create table ended_wish (
  -- A transfer or withdrawal that will never be.
  id text primary key
);

create type wish_end_row as (member_id bigint, call text, key text, answer text, ids text[]);

-- A call that died between its moves: what it has not begun is ended, what it has begun stands, and its key stays taken
-- by the outcome.
create type wish_rest_row as (ids text[]);

grant select on ledger_asset, ledger_account, ledger_batch, ledger_entry, ledger_posting, ledger_hold, ledger_companion, ended_wish to krapao_app;
grant select, update, delete on idempotency to krapao_app;

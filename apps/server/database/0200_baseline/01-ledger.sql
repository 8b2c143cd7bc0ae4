-- Ledger: accounts, entries, postings, holds; and the saved answers of idempotent calls

-- Money is written only by the functions in src/ledger/sql, which run with the rights of their owner. The
-- application's role can read these tables but not change them, so neither a bug nor a stolen connection can move
-- money past the rules of these functions.

-- Units of account: currencies and coins.
create table ledger_asset (
  id smallint primary key,
  code text not null unique,
  decimals smallint not null
);

-- A member's account never goes below zero. A system account may: money that came in from outside is a negative
-- balance there, so that all balances of one asset sum to zero.
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
) with (fillfactor = 50);
create unique index ledger_account_member on ledger_account (member_id, kind, coalesce(slot_code, ''))
  where member_id is not null;
create unique index ledger_account_house on ledger_account (kind, asset) where member_id is null;

-- Entries that were committed together. The hash of a batch covers the one before it.
create table ledger_batch (
  id bigint generated always as identity primary key,
  entries integer not null,
  created_at timestamptz not null,
  hash bytea not null
);

create sequence ledger_entry_id as bigint;

-- Balanced movements of money, each with a unique reference.
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
-- Entries are written in the order of their batches, so a small BRIN index finds them.
create index ledger_entry_batch on ledger_entry using brin (batch_id);
create index ledger_entry_at on ledger_entry using brin (created_at);

-- The sides of entries, one for each account that moves.
create table ledger_posting (
  account_id bigint not null,
  entry_id bigint not null,
  leg smallint not null,
  amount bigint not null,
  balance_after bigint not null,
  primary key (account_id, entry_id, leg)
);

-- Money set aside for one purpose, which the key names, for example 'withdrawal:WD01…'. A hold is closed once: posted
-- or released.
create table ledger_hold (
  key text primary key,
  from_account bigint not null,
  hold_account bigint not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('OPEN', 'POSTED', 'RELEASED')),
  opened_by bigint not null,
  closed_by bigint
) with (fillfactor = 80);

-- The kinds of attached writes: rows that explain an entry and commit with it. guard_function(rows text[]) returns
-- text[] runs under the ledger's lock before money moves and returns a refusal code or null for each row.
-- write_function(rows text[], entries bigint[], now timestamptz) writes the rows of the posted items.
create table ledger_companion (
  name text primary key,
  guard_function text,
  write_function text not null
);

-- Saved responses of idempotent calls, one for each member, call and key. RUNNING until the call has ended.
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

-- Intents that were ended because their call was interrupted before it moved money. The ledger rejects a transfer or
-- withdrawal with such an id.
create table ended_intent (
  -- Id of the transfer or withdrawal.
  id text primary key
);

-- Ends a call that was interrupted before it moved anything: its ids are ended and its idempotency key becomes free.
create type intent_end_row as (member_id bigint, call text, key text, answer text, ids text[]);

-- Ends the rest of a call that was interrupted between two movements. What it moved stays, and its idempotency key
-- stays taken.
create type intent_rest_row as (ids text[]);

grant select on ledger_asset, ledger_account, ledger_batch, ledger_entry, ledger_posting, ledger_hold,
  ledger_companion, ended_intent to krapao_app;
grant select, update, delete on idempotency to krapao_app;

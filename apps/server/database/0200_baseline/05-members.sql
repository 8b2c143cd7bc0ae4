-- Members: accounts, bank accounts, sessions, one-time codes

-- Members, with their ledger accounts.
create table member (
  id bigint generated always as identity (start with 100001) primary key,
  phone text not null unique,
  name text not null,
  password_hash text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  source_code text not null references source,
  inviter_id bigint references member,
  -- The inviter code entered at registration when no member has it; shown to operators.
  unknown_invite_code text,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  password_changed_at timestamptz not null,
  created_at timestamptz not null,
  last_sync timestamptz,
  wallet_account bigint not null,
  hold_account bigint not null,
  coin_account bigint not null,
  -- The minimum age the member confirmed at registration, as the form showed it; null when the form did not require
  -- it.
  age_confirmed smallint check (age_confirmed between 1 and 150),
  age_confirmed_at timestamptz,
  -- Optional PIN for withdrawals. A session that has proven it may withdraw for a few minutes.
  pin_hash text,
  pin_set_at timestamptz
);
create index member_inviter on member (inviter_id, id) where inviter_id is not null;
create index member_made on member (created_at);
create index member_phone_last on member (right(phone, 4));
create index member_name on member (name, id);

-- Members' bank accounts, one active for each member.
create table bank_account (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  bank_code text not null references bank,
  account_no_sealed bytea not null,
  account_no_fingerprint bytea not null,
  account_name text not null,
  status text not null check (status in ('ACTIVE', 'REPLACED')),
  created_at timestamptz not null,
  -- End of the cooling-off period of an account that replaced another: no payout before it. Null for the first
  -- account.
  cool_until timestamptz
);
create unique index bank_account_once on bank_account (bank_code, account_no_fingerprint) where status = 'ACTIVE';
create unique index bank_account_of_member on bank_account (member_id) where status = 'ACTIVE';

-- Fingerprints of the digits that banks leave visible, to find members by them without storing the digits.
create table bank_account_digits (
  bank_account_id bigint primary key references bank_account,
  middle_fingerprint bytea not null,
  last_fingerprint bytea not null
);
create index bank_account_digits_middle on bank_account_digits (middle_fingerprint);
create index bank_account_digits_last on bank_account_digits (last_fingerprint);

-- Login sessions of members.
create table session (
  token_hash bytea primary key,
  member_id bigint not null references member,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'operator', 'password', 'member')),
  address text,
  user_agent text,
  -- Public id of the session, so that a member can list and end sessions without their tokens.
  id uuid not null default gen_random_uuid(),
  last_seen_at timestamptz,
  -- A login from a kind of device that the member had not used before. It is shown to the member until confirmed.
  device_is_new boolean not null default false,
  confirmed_at timestamptz,
  pin_proven_at timestamptz
);
create index session_member on session (member_id, created_at desc);
-- Finds other logins from the same browser at the same address.
create index session_of_browser on session (address, hashtext(user_agent), created_at) where user_agent is not null;

-- One-time codes sent by SMS.
create table otp (
  token_hash bytea primary key,
  phone text not null,
  purpose text not null,
  reference text not null,
  code_fingerprint bytea not null,
  address text not null,
  wrong_tries integer not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz,
  -- A verified code allows one password reset; this is when it was used.
  used_at timestamptz
);
create index otp_phone on otp (phone, sent_at desc);

-- Operators' notes about members.
create table member_note (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  text text not null,
  written_at timestamptz not null
);
create index member_note_of on member_note (member_id, id);

grant select, insert, update on member, bank_account, session, otp to krapao_app;
grant select, insert on bank_account_digits, member_note to krapao_app;
grant usage on sequence member_id_seq to krapao_app;

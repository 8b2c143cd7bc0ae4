-- Members: accounts, bank accounts, sessions, one-time codes

-- Members, their bank accounts and sessions, and the one-time codes of registration.
create table member (
  id bigint generated always as identity (start with 100001) primary key,
  phone text not null unique,
  name text not null,
  password_hash text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  source_code text not null references source,
  inviter_id bigint references member,
  -- What was typed as inviter code when nobody has it; shown to operators.
  unknown_invite_code text,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  password_changed_at timestamptz not null,
  created_at timestamptz not null,
  last_sync timestamptz,
  wallet_account bigint not null,
  hold_account bigint not null,
  coin_account bigint not null,
  -- The least age a member confirmed when he registered, as the form showed it then; null: he was not asked.
  age_confirmed smallint check (age_confirmed between 1 and 150),
  age_confirmed_at timestamptz,
  -- A member may demand a PIN before money leaves; a session that has proven it may withdraw for a few minutes.
  pin_hash text,
  pin_set_at timestamptz
);
create index member_inviter on member (inviter_id, id) where inviter_id is not null;
create index member_made on member (created_at);
create index member_phone_last on member (right(phone, 4));
create index member_name on member (name, id);

create table bank_account (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  bank_code text not null references bank,
  account_no_sealed bytea not null,
  account_no_fingerprint bytea not null,
  account_name text not null,
  status text not null check (status in ('ACTIVE', 'REPLACED')),
  created_at timestamptz not null,
  -- Until when nothing is paid to an account that replaced another; null for the one given at registration.
  cool_until timestamptz
);
create unique index bank_account_once on bank_account (bank_code, account_no_fingerprint) where status = 'ACTIVE';
create unique index bank_account_of_member on bank_account (member_id) where status = 'ACTIVE';

-- Finds members by the digits that banks leave visible, without holding the digits.
create table bank_account_digits (
  bank_account_id bigint primary key references bank_account,
  middle_fingerprint bytea not null,
  last_fingerprint bytea not null
);
create index bank_account_digits_middle on bank_account_digits (middle_fingerprint);
create index bank_account_digits_last on bank_account_digits (last_fingerprint);

create table session (
  token_hash bytea primary key,
  member_id bigint not null references member,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'operator', 'password', 'member')),
  address text,
  user_agent text,
  -- A member sees where he is logged in and ends what is not his: a session gets a name that is not its token.
  id uuid not null default gen_random_uuid(),
  last_seen_at timestamptz,
  -- A login from a kind of device its member had not used before is shown to him until he says that it was he.
  device_is_new boolean not null default false,
  confirmed_at timestamptz,
  pin_proven_at timestamptz
);
create index session_member on session (member_id, created_at desc);
-- Who logs in from the same browser at the same address is found without reading every session.
create index session_of_browser on session (address, hashtext(user_agent), created_at) where user_agent is not null;

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
  -- A code that was verified allows one thing once: a new password.
  used_at timestamptz
);
create index otp_phone on otp (phone, sent_at desc);

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

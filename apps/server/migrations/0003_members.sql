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
  coin_account bigint not null
);
create index member_inviter on member (inviter_id, id) where inviter_id is not null;

create table bank_account (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  bank_code text not null references bank,
  account_no_sealed bytea not null,
  account_no_fingerprint bytea not null,
  account_name text not null,
  status text not null check (status in ('ACTIVE', 'REPLACED')),
  created_at timestamptz not null
);
create unique index bank_account_once on bank_account (bank_code, account_no_fingerprint) where status = 'ACTIVE';
create unique index bank_account_of_member on bank_account (member_id) where status = 'ACTIVE';

create table session (
  token_hash bytea primary key,
  member_id bigint not null references member,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'operator', 'password')),
  address text,
  user_agent text
);
create index session_member on session (member_id, created_at desc);

-- Whoever ends a session or refuses a member, every instance hears it and closes the sockets.
create function session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.member_id::text);
  return null;
end $$;
create trigger session_ended after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null) execute function session_ended();
create function member_refused() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.id::text);
  return null;
end $$;
create trigger member_refused after update of status on member for each row
  when (old.status is distinct from new.status and new.status <> 'ACTIVE') execute function member_refused();

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
  verified_at timestamptz
);
create index otp_phone on otp (phone, sent_at desc);

grant select, insert, update on member, bank_account, session, otp to krapao_app;
grant usage on sequence member_id_seq to krapao_app;

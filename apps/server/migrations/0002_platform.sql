-- What every feature stands on: settings, content, throttles, the outbox and the audit trail.

create table setting (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null
);
create function setting_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('setting', new.key);
  return new;
end $$;
create trigger setting_changed after insert or update on setting for each row execute function setting_changed();

-- Counted windows for rate limits, shared by all instances.
create table throttle (
  key text primary key,
  count integer not null,
  opened_at timestamptz not null,
  closes_at timestamptz not null
);
create index throttle_closes on throttle (closes_at);

-- Events that must reach a member's screens although the server may die after the commit.
create table outbox (
  id bigint generated always as identity primary key,
  member_id bigint not null,
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null
);

-- Who did what, in the transaction of the act. Nobody alters it.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  thing text not null,
  before jsonb,
  after jsonb,
  reason text,
  address text
);
create index audit_thing on audit (thing, id);
create function audit_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are never changed' using errcode = 'restrict_violation';
end $$;
create trigger audit_append_only before update or delete or truncate on audit for each statement execute function audit_append_only();

create table operator (
  id bigint generated always as identity primary key,
  name text not null unique,
  password_hash text not null,
  role text not null check (role in ('support', 'finance', 'finance-lead', 'marketing', 'risk', 'admin', 'auditor')),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  created_at timestamptz not null
);

-- Words operators write, one row a language: conditions, agreements, notice, contact, info.
create table content (
  key text not null,
  language text not null check (language in ('th', 'la', 'en')),
  body jsonb not null,
  updated_at timestamptz not null,
  primary key (key, language)
);

create table source (
  code text primary key,
  description_th text not null,
  description_la text not null,
  description_en text not null,
  position integer not null
);

create table bank (
  code text primary key,
  bot_code text,
  name_local text not null,
  name_en text not null,
  color text,
  variant text not null check (variant in ('th', 'la')),
  account_lengths integer[],
  position integer not null
);

grant select, insert, update on setting, throttle, content, source, bank, operator to krapao_app;
grant delete on throttle to krapao_app;
grant select, insert, update, delete on outbox to krapao_app;
grant select, insert on audit to krapao_app;

-- Large events between instances of the live socket travel through this table (socket.io's PostgreSQL adapter).
create table socket_io_attachments (
  id bigint generated always as identity unique,
  created_at timestamptz default now(),
  payload bytea
);
grant select, insert, delete on socket_io_attachments to krapao_app;

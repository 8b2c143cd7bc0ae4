-- Platform: settings, rate limits, outbox, audit trail, alerts

-- SQL files of functions, triggers and views, in the version applied last.
create table routine_file (
  -- Relative to the server's source folder.
  path text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
-- Every set of routine files that was applied to this database, by the hash of the whole set.
create table routine_set (
  sha256 text primary key,
  applied_at timestamptz not null default now()
);

-- Settings that operators have changed; all others have their default.
create table setting (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null
);

-- Counting windows of rate limits, shared by all server processes.
create table throttle (
  key text primary key,
  count integer not null,
  opened_at timestamptz not null,
  closes_at timestamptz not null
);
create index throttle_closes on throttle (closes_at);

-- Live events for members, stored with the change they report so that a crash after the commit loses none.
create table outbox (
  id bigint generated always as identity primary key,
  member_id bigint not null,
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null
);

-- Events too large for NOTIFY, between the processes of the live socket (socket.io's PostgreSQL adapter).
create table socket_io_attachments (
  id bigint generated always as identity unique,
  created_at timestamptz default now(),
  payload bytea
);

-- The audit trail: who did what, written in the transaction of the action. Append-only.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  address text,
  -- The role of the actor at that time.
  role text
);
create index audit_subject on audit (subject, id);
create index audit_actor on audit (actor, id);
create index audit_action on audit (action, id);
create index audit_at on audit using brin (at);

-- Conditions that need an operator's attention. At most one is open for each kind and subject.
create table alert (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  detail text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index alert_open on alert (kind, subject) where closed_at is null;

grant select, insert, update on setting, alert to krapao_app;
grant select, insert, update, delete on throttle, outbox to krapao_app;
grant select, insert, delete on socket_io_attachments to krapao_app;
grant select, insert on audit to krapao_app;

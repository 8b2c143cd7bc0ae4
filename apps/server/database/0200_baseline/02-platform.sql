-- Platform: settings, rate limits, outbox, audit trail, alerts

-- The SQL files of functions, triggers and views as they were applied last.
create table routine_file (
  -- Relative to the server's source folder.
  path text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
-- Every set of routine files that was applied here, by the hash of the whole set.
create table routine_set (
  sha256 text primary key,
  applied_at timestamptz not null default now()
);

-- What every feature stands on: settings, content, throttles, the outbox and the audit trail.
create table setting (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null
);

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

-- Large events between instances of the live socket travel through this table (socket.io's PostgreSQL adapter).
create table socket_io_attachments (
  id bigint generated always as identity unique,
  created_at timestamptz default now(),
  payload bytea
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
  address text,
  -- The role the actor had when he acted.
  role text
);
create index audit_thing on audit (thing, id);
create index audit_actor on audit (actor, id);
create index audit_action on audit (action, id);
create index audit_at on audit using brin (at);

-- What operators must look at; closed by the one who has seen to it.
create table alert (
  id bigint generated always as identity primary key,
  kind text not null,
  thing text not null,
  detail text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index alert_open on alert (kind, thing) where closed_at is null;

grant select, insert, update on setting, alert to krapao_app;
grant select, insert, update, delete on throttle, outbox to krapao_app;
grant select, insert, delete on socket_io_attachments to krapao_app;
grant select, insert on audit to krapao_app;

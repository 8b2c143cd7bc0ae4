-- Adds outgoing webhooks: endpoints, events, deliveries and their attempts

create table webhook_endpoint (
  id text primary key,
  url text not null,
  description text not null,
  events text[] not null check (cardinality(events) > 0),
  -- Null: events of every currency.
  currency text check (currency in ('BAHT', 'LAK')),
  state text not null check (state in ('ENABLED', 'DISABLED')),
  -- Why it is disabled: an operator's reason, or FAILING or GONE when the server disabled it.
  disabled_reason text,
  secret_sealed bytea not null,
  -- The secret before a rotation signs too until then.
  former_secret_sealed bytea,
  former_until timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  succeeded_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  check ((state = 'DISABLED') = (disabled_reason is not null)),
  check ((former_secret_sealed is null) = (former_until is null))
);

-- What happened, written by the transaction that did it, where an endpoint wants it.
create table webhook_event (
  number bigint generated always as identity primary key,
  id text not null unique,
  type text not null,
  -- Events of one subject reach an endpoint in their order.
  subject text not null,
  currency text,
  data jsonb not null,
  created_at timestamptz not null,
  -- Whether its deliveries are still to be made.
  is_pending boolean not null
);
create index webhook_event_pending on webhook_event (number) where is_pending;
create index webhook_event_at on webhook_event using brin (created_at);

create table webhook_delivery (
  id bigint generated always as identity primary key,
  endpoint_id text not null references webhook_endpoint on delete cascade,
  event_number bigint not null references webhook_event,
  subject text not null,
  type text not null,
  -- SKIPPED: the endpoint was disabled.
  state text not null check (state in ('WAITING', 'DELIVERED', 'GIVEN_UP', 'SKIPPED')),
  -- Attempts begun since it was made or replayed last.
  tries integer not null default 0,
  -- Infinity while an earlier event of the subject waits.
  due_at timestamptz not null,
  -- Held by a worker until then, by the database's clock.
  leased_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (endpoint_id, event_number)
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at) where state = 'WAITING';
create index webhook_delivery_subject on webhook_delivery (endpoint_id, subject, event_number)
  where state = 'WAITING';
create index webhook_delivery_leased on webhook_delivery (endpoint_id) where leased_until is not null;
create index webhook_delivery_of on webhook_delivery (endpoint_id, id);
create index webhook_delivery_event on webhook_delivery (event_number);
create index webhook_delivery_at on webhook_delivery using brin (created_at);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_delivery on delete cascade,
  at timestamptz not null,
  -- Null: no response; `failure` says why.
  status integer,
  failure text,
  latency_ms integer not null,
  -- The first bytes of the response.
  response text not null
);
create index webhook_attempt_of on webhook_attempt (delivery_id, id);

update operator_role
set permissions = permissions || '{webhook.read,webhook.manage}', updated_at = now()
where code = 'admin';
update operator_role
set permissions = permissions || '{webhook.read}', updated_at = now()
where code = 'auditor';

grant select, insert, update, delete on webhook_endpoint, webhook_event, webhook_delivery to krapao_app;
grant select, insert, delete on webhook_attempt to krapao_app;

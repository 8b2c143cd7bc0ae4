-- Adds API keys of operators, with which programs call the operator API

create table operator_key (
  id text primary key,
  operator_id bigint not null references operator,
  name text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  -- SHA-256 of the key, which is shown once.
  key_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_address text
);
create index operator_key_of on operator_key (operator_id, created_at);
-- The trail names keys, so two that count never share a name.
create unique index operator_key_name on operator_key (operator_id, name) where revoked_at is null;

grant select, insert, update on operator_key to krapao_app;

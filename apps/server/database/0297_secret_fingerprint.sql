-- A keyed hash by which a program finds out whether its SECRET is the one that values are sealed with

create table secret_fingerprint (
  is_only boolean primary key default true check (is_only),
  fingerprint bytea not null,
  created_at timestamptz not null default now()
);

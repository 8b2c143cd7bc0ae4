-- Keeps the movements of bank statement files, which reconciliation compares with in place of the bank's own call

create table statement_file (
  id bigint primary key generated always as identity,
  source text not null,
  format text not null check (format in ('csv', 'mt940', 'camt.053')),
  name text not null,
  sha256 bytea not null check (length(sha256) = 32),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  line_count integer not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null,
  removed_at timestamptz
);
create unique index statement_file_once on statement_file (source, sha256) where removed_at is null;
create index statement_file_days on statement_file (source, to_day) where removed_at is null;
create index statement_file_order on statement_file (uploaded_at, id);

create table statement_line (
  file_id bigint not null references statement_file,
  number integer not null,
  day date not null,
  reference text not null,
  ours text,
  direction text not null check (direction in ('IN', 'OUT')),
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  until timestamptz not null check (until >= at),
  account text not null,
  primary key (file_id, number)
);
create index statement_line_time on statement_line (file_id, until);

grant select, insert on statement_file, statement_line to krapao_app;
grant update (removed_at) on statement_file to krapao_app;

-- Reconciliation with partners

-- Comparisons with a partner's records, one for each day and source; a repeat replaces it. `taken_by` holds the lease
-- until `taken_until`.
create table reconciliation_run (
  day date not null,
  -- 'bank:SCB:2223334445', 'gateway:WW', 'gift', 'game:betflix:BAHT'
  source text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- WAITING: not compared yet; UNKNOWN: the partner did not respond; NOT_OFFERED: it provides no records.
  state text not null check (state in ('WAITING', 'COMPARED', 'UNKNOWN', 'NOT_OFFERED')),
  note text,
  -- Attempts in a row without a response.
  tried integer not null default 0,
  their_count integer not null default 0,
  their_in bigint not null default 0,
  their_out bigint not null default 0,
  our_count integer not null default 0,
  our_in bigint not null default 0,
  our_out bigint not null default 0,
  -- Accounts left out because they changed during the comparison.
  left_out integer not null default 0,
  -- End of the compared time range, and when it was compared.
  compared_to timestamptz,
  compared_at timestamptz,
  tried_at timestamptz,
  taken_by text,
  taken_until timestamptz not null default '-infinity',
  primary key (day, source)
);

-- Differences found by comparisons. `mark` identifies a difference across repeats: an open one keeps its id, and an
-- explained one stays explained while it does not change.
create table reconciliation_difference (
  id bigint generated always as identity primary key,
  day date not null,
  source text not null,
  kind text not null check (kind in ('MISSING_THEIRS', 'MISSING_OURS', 'AMOUNT', 'BALANCE')),
  mark text not null,
  direction text check (direction in ('IN', 'OUT')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  their_reference text,
  their_amount bigint,
  their_at timestamptz,
  -- Masked.
  their_account text,
  -- 'deposit:DP…', 'withdrawal:WD…', 'unmatched:12', 'game:betflix:7'
  our_subject text,
  our_reference text,
  our_amount bigint,
  our_at timestamptz,
  member_id bigint references member,
  state text not null check (state in ('OPEN', 'EXPLAINED')),
  found_at timestamptz not null,
  explained_by bigint references operator,
  explained_at timestamptz,
  explanation text,
  foreign key (day, source) references reconciliation_run,
  unique (day, source, mark),
  check ((state = 'EXPLAINED') = (explained_at is not null))
);
create index reconciliation_difference_open on reconciliation_difference (day, source) where state = 'OPEN';

grant select, insert, update on reconciliation_run to krapao_app;
grant select, insert, update, delete on reconciliation_difference to krapao_app;

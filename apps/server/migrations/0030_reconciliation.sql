-- Our books held against the partners', day by day.

-- One comparison a day and source; a repeat takes its place. `taken_by` until `taken_until` is whoever compares now.
create table reconciliation_run (
  day date not null,
  -- 'bank:SCB:2223334445', 'gateway:WW', 'gift', 'game:betflix:BAHT'
  source text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- WAITING was never compared; UNKNOWN: the partner gave no answer; NOT_OFFERED: it has nothing to compare with.
  state text not null check (state in ('WAITING', 'COMPARED', 'UNKNOWN', 'NOT_OFFERED')),
  note text,
  -- Tries in a row without an answer.
  tried integer not null default 0,
  their_count integer not null default 0,
  their_in bigint not null default 0,
  their_out bigint not null default 0,
  our_count integer not null default 0,
  our_in bigint not null default 0,
  our_out bigint not null default 0,
  -- Accounts that moved while they were compared.
  left_out integer not null default 0,
  -- Up to when the day was compared, and when that was.
  compared_to timestamptz,
  compared_at timestamptz,
  tried_at timestamptz,
  taken_by text,
  taken_until timestamptz not null default '-infinity',
  primary key (day, source)
);

-- What did not agree. `mark` names it over repeats: an explained difference stays explained while nothing about it
-- changes, and an open one keeps its number.
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
  our_thing text,
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

create trigger desk_changed after update on reconciliation_run for each statement execute function desk_changed('reconciliation');
create trigger desk_changed after update on reconciliation_difference for each statement execute function desk_changed('reconciliation');

grant select, insert, update on reconciliation_run to krapao_app;
grant select, insert, update, delete on reconciliation_difference to krapao_app;

-- A day's payouts, gifts and transfers are found by blocks: each insert pays next to nothing for it.
create index payout_sent on payout using brin (sent_at) with (pages_per_range = 32);
create index gift_redemption_made on gift_redemption using brin (created_at) with (pages_per_range = 32);
create index bank_line_paid on bank_line using brin (paid_at) with (pages_per_range = 32);

update operator_role set permissions = permissions || '{reconciliation.read,reconciliation.settle}'::text[], updated_at = now()
  where code = 'finance-lead' and not 'reconciliation.read' = any(permissions);
update operator_role set permissions = permissions || '{reconciliation.read}'::text[], updated_at = now()
  where code in ('finance', 'auditor') and not 'reconciliation.read' = any(permissions);

-- Statement of a member

-- The member's statement. Rows are numbered for each member, so that every page is found by number at the same cost.
-- Rows are added only in ledger batches, which run one at a time; this makes the numbering safe.
create table statement (
  member_id bigint not null,
  number bigint not null,
  id text not null unique,
  type text not null check (type in ('deposit', 'bonus', 'finish_bonus', 'withdraw', 'transfer')),
  status text not null check (status in ('PENDING', 'PROCESSING', 'REVIEW', 'SUCCESS', 'FAILED')),
  source text not null,
  target text not null,
  amount bigint not null,
  reference_kind text check (reference_kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  reference_text text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (member_id, number)
) with (fillfactor = 90);

-- Counts of statement rows, for filtered statements. A block is 1,024 consecutive rows of one member. It is counted
-- once, when first read, and only after all its rows are final; the ledger never writes here.
create table statement_block (
  member_id bigint not null,
  block bigint not null,
  -- Number of rows of each type and final status, as {"deposit SUCCESS": 12}.
  counts jsonb not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (member_id, block)
);

create type statement_row as (
  member_id bigint, id text, type text, status text, source text, target text, amount bigint
);

grant select, update (status, updated_at) on statement to krapao_app;
grant select, insert on statement_block to krapao_app;

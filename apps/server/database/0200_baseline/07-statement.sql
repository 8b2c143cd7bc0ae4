-- Statement of a member

-- The member's statement. Rows are numbered per member, so that page N is found by number and costs what page 1 costs.
-- Written only inside ledger batches, whose single writer makes the numbering safe.
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
) with (fillfactor = 90
);

-- Filtered statements. A block is 1,024 rows of one member's statement by number; once every row of it is final it
-- never changes again, so what it holds is counted once, by whoever first asks. Nothing is written while money moves.
create table statement_block (
  member_id bigint not null,
  block bigint not null,
  -- How many rows of each type and final status, as {"deposit SUCCESS": 12}.
  counts jsonb not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (member_id, block)
);

create type statement_row as (member_id bigint, id text, type text, status text, source text, target text, amount bigint);

grant select, update (status, updated_at) on statement to krapao_app;
grant select, insert on statement_block to krapao_app;

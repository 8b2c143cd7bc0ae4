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

grant select, insert on statement_block to krapao_app;

-- Manual entries of operators

-- Manual entries of operators. The key, made by the console, makes each of them once-only.
create table manual_entry (
  id text primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  key text not null,
  direction text not null check (direction in ('credit', 'debit')),
  category text not null check (category in ('correction', 'goodwill', 'campaign', 'fee', 'other')),
  amount bigint not null check (amount > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index manual_entry_of on manual_entry (member_id, created_at);

-- A manual entry made on the command line, with its statement row and audit row.
create type manual_entry_row as (statement statement_row, actor text, action text, subject text, reason text);

create type operator_entry_row as (action operator_action_row, statement statement_row, direction text, category text,
  key text);

grant select on manual_entry to krapao_app;

-- Approvals and assignments of operators

-- A queue row is taken before it is acted on; it frees itself when nothing happened for some minutes.
create table claim (
  thing text primary key,
  operator_id bigint not null references operator,
  claimed_at timestamptz not null,
  touched_at timestamptz not null
);

-- One open request an action and thing; whoever made it never decides it.
create table approval (
  id text primary key,
  action text not null,
  thing text not null,
  -- What the act needs, and what the checker is shown.
  payload jsonb not null,
  summary jsonb not null,
  reason text,
  maker_id bigint references operator,
  state text not null check (state in ('PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'LAPSED')),
  made_at timestamptz not null,
  lapses_at timestamptz not null,
  checker_id bigint references operator,
  checked_at timestamptz,
  note text,
  maker_member_id bigint references member,
  -- A request for approval counts no more once its maker is suspended or may no longer make it; the console says why.
  lapsed_because text check (lapsed_because = 'MAKER'),
  check (checker_id is null or checker_id <> maker_id),
  constraint approval_maker check (num_nonnulls(maker_id, maker_member_id) = 1)
);
create unique index approval_pending on approval (action, thing) where state = 'PENDING';
create index approval_made on approval (made_at desc);
create index approval_thing on approval (thing, action, made_at desc);

-- What an operator gives or takes without a second person adds up: many small acts are checked like a large one.
create table act_alone (
  operator_id bigint not null references operator,
  -- The act, by its maker's key or its thing.
  reference text not null,
  member_id bigint not null references member,
  -- Whether it goes to many members at once; such acts add up over all of them too.
  is_batch boolean not null,
  direction text not null check (direction in ('credit', 'debit')),
  unit text not null check (unit in ('BAHT', 'LAK', 'COIN')),
  -- Minor units, or coins.
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (operator_id, reference, member_id)
);
create index act_alone_at on act_alone (operator_id, at);

-- Who acts, on what word: written into the audit trail by the transaction of the act. `approval_id` is the request
-- this act carries out; `claim_after` demands that the operator has claimed the thing since then.
create type desk_act_row as (
  operator_id bigint, actor text, role text, action text, thing text, before jsonb, after jsonb, reason text,
  address text, approval_id text, claim_after timestamptz, at timestamptz
);

grant select, insert, update, delete on claim to krapao_app;
grant select, insert, update on approval to krapao_app;
grant select, insert on act_alone to krapao_app;

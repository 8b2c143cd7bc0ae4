-- Approvals and assignments of operators

-- Assignments: an operator takes a row of a queue before acting on it. An assignment without activity expires.
create table assignment (
  subject text primary key,
  operator_id bigint not null references operator,
  assigned_at timestamptz not null,
  touched_at timestamptz not null
);

-- Requests for approval by a second operator, at most one pending for each action and subject. The maker can't decide
-- it.
create table approval (
  id text primary key,
  action text not null,
  subject text not null,
  -- What the action needs, and what the checker is shown.
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
  -- MAKER: the request lapsed because its maker was suspended or lost the permission to make it.
  lapsed_because text check (lapsed_because = 'MAKER'),
  check (checker_id is null or checker_id <> maker_id),
  constraint approval_maker check (num_nonnulls(maker_id, maker_member_id) = 1)
);
create unique index approval_pending on approval (action, subject) where state = 'PENDING';
create index approval_made on approval (made_at desc);
create index approval_subject on approval (subject, action, made_at desc);

-- Amounts that one operator gave or took without a second operator. They are summed over a day, so that many small
-- actions need approval like one large action.
create table small_action (
  operator_id bigint not null references operator,
  -- The maker's idempotency key, or the subject of the action.
  reference text not null,
  member_id bigint not null references member,
  -- Whether the action concerns many members at once. Such actions are also summed over all members.
  is_batch boolean not null,
  direction text not null check (direction in ('credit', 'debit')),
  unit text not null check (unit in ('BAHT', 'LAK', 'COIN')),
  -- Minor units, or coins.
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (operator_id, reference, member_id)
);
create index small_action_at on small_action (operator_id, at);

-- An operator's action as the audit trail records it. `approval_id` is the approval request that the action carries
-- out; `assigned_after` requires that the operator was active on the assignment after that time.
create type operator_action_row as (
  operator_id bigint, actor text, role text, action text, subject text, before jsonb, after jsonb, reason text,
  address text, approval_id text, assigned_after timestamptz, at timestamptz
);

grant select, insert, update, delete on assignment to krapao_app;
grant select, insert, update on approval to krapao_app;
grant select, insert on small_action to krapao_app;

-- Limits what an operator pays or credits by hand, by role and by person, and lets roles be named and removed

-- Null: the name by its code.
alter table operator_role add column name text;
grant delete on operator_role to krapao_app;

-- What one operator may move at once, and within 24 hours, in minor units; null: no limit.
-- `subject` is `role:<code>` or `operator:<name>`; where both have one, both count.
create table operator_limit (
  subject text not null check (subject ~ '^(role|operator):.'),
  kind text not null check (kind in ('pay', 'credit')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  action_max bigint check (action_max >= 0),
  day_max bigint check (day_max >= 0),
  primary key (subject, kind, currency)
);
grant select, insert, update, delete on operator_limit to krapao_app;

-- What operators have paid and credited by hand, as limits count it.
create table operator_use (
  operator_id bigint not null references operator (id),
  kind text not null check (kind in ('pay', 'credit')),
  reference text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (operator_id, kind, reference)
);
create index operator_use_at on operator_use (operator_id, kind, currency, at);
grant select, insert on operator_use to krapao_app;

-- Refunds of losses

-- Sums of a wallet's postings up to an entry, without game transfers and bonuses, so that old postings are not added
-- up again. Postings since are added when the sums are read.
create table refund_sum (
  member_id bigint primary key references member,
  entry_id bigint not null,
  postings bigint not null,
  paid_in bigint not null,
  paid_out bigint not null
);

-- Refunds received, each with the figures of the period it closed.
create table refund_period (
  member_id bigint not null references member,
  -- Counts from 1 for each member, without gaps.
  number integer not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Minor units, as calculated when the refund was received.
  deposits bigint not null,
  withdrawals bigint not null,
  opening bigint not null,
  balance bigint not null,
  loss bigint not null,
  percent integer not null,
  amount bigint not null check (amount > 0),
  -- Sums at the end of the period, from which the next one counts.
  paid_in bigint not null,
  paid_out bigint not null,
  entry_id bigint not null,
  primary key (member_id, number)
);
create index refund_period_at on refund_period using brin (to_at);

-- At most `day_max` refunds are received since `day`.
create type refund_receive_row as (
  member_id bigint, number integer, from_at timestamptz, deposits bigint, withdrawals bigint, opening bigint,
  balance bigint, loss bigint, percent integer, amount bigint, paid_in bigint, paid_out bigint, day timestamptz,
  day_max integer
);

grant select, insert, update on refund_sum to krapao_app;
grant select on refund_period to krapao_app;

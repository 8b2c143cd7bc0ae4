-- Counts of coupons and spins, which pages of the console would otherwise take from all there ever were

-- Coupons given by operators and those won are counted in rows of their own, so that neither waits for the other.
create table coupon_count (
  prize_id bigint not null references prize,
  by_operators boolean not null,
  given bigint not null default 0 check (given >= 0),
  redeemed bigint not null default 0 check (redeemed >= 0),
  primary key (prize_id, by_operators)
);
grant select on coupon_count to krapao_app;

create table spin_count (
  wheel_id bigint not null references wheel,
  slice_code text not null,
  spins bigint not null check (spins >= 0),
  primary key (wheel_id, slice_code)
);
grant select on spin_count to krapao_app;

create index coupon_open on coupon (prize_id, expires_at) where state = 'OPEN';

-- Lists coupons of one state in the order of the list.
create index coupon_state_order on coupon (state, created_at, id);

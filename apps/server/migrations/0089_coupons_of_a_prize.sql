-- A prize's page counts its coupons, and lists them.
create index coupon_of_prize on coupon (prize_id, id);

-- Keeps the orders of the operators' other lists sorted, with the id that decides between equal rows

create index approval_order on approval (made_at, id);
drop index approval_made;
create index payment_report_order on payment_report (status, created_at, id);
create index payment_report_amount on payment_report (status, amount, id);
create index transfer_evidence_asked_paid on transfer_evidence (paid_at, id) where state = 'ASK';
create index transfer_evidence_asked_amount on transfer_evidence (amount, id) where state = 'ASK';
create index slip_waiting_first on slip ((case status
  when 'REVIEW' then (extract(epoch from created_at - timestamptz '1970-01-01 00:00:00+00') * 1000000)::bigint
    - 100000000000000000
  else -(extract(epoch from created_at - timestamptz '1970-01-01 00:00:00+00') * 1000000)::bigint end), id);
drop index gift_redemption_open;
create index gift_redemption_open on gift_redemption (tried_at, id) where state in ('SENT', 'UNKNOWN');
create index coupon_order on coupon (created_at, id);
drop index coupon_made;
create index coupon_ends on coupon (expires_at, id);
create index refund_period_order on refund_period (to_at, member_id);
create index member_invited on member (id) where inviter_id is not null;

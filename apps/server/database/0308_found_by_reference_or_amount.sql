-- What the search of the console looks for: deposits by bank reference, slips by amount, reports and errors by member
create index deposit_reference on deposit (bank_reference);
create index slip_amount on slip (amount, id) where amount is not null;
create index payment_report_member on payment_report (member_id, created_at);
create index error_reference_member on error_reference (member_id, created_at) where member_id is not null;

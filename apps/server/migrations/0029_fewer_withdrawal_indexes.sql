-- Every index is paid for by every withdrawal. Ids sort by time of making, so lists go by the primary key; days are
-- found by blocks; the member's own are found by one index instead of two.
drop index withdrawal_made;
create index withdrawal_made on withdrawal using brin (created_at) with (pages_per_range = 32);
drop index withdrawal_day;

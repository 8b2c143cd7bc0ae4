-- Reports over days find the runs that were started, and those that gave money back; both indexes cost next to nothing.
create index bonus_run_started on bonus_run using brin (started_at);
create index bonus_run_taken on bonus_run (ended_at) where taken > 0;
create index refund_period_at on refund_period using brin (to_at);

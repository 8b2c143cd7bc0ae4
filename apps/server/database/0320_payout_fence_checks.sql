-- How often payouts were found allowed: a database restored to an earlier time has fewer than a process has seen
alter table payout_fence add column checks bigint not null default 0;
grant update (checks) on payout_fence to krapao_app;

-- Bonus runs whose games did not respond are found by an index, because a job reads these games again every minute
create index bonus_run_stuck on bonus_run (member_id) where stuck_since is not null;

-- Returns the system identifier of this database cluster and its timeline, which changes when a standby takes over.
create or replace function database_timeline() returns text language sql stable as $$
  select s.system_identifier || ':' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system() s;
$$;

-- Returns whether commits wait for a standby. Patroni empties the setting while there is none, unless its mode is
-- strict.
create or replace function commits_are_replicated() returns boolean language sql stable as $$
  select current_setting('synchronous_standby_names') <> '';
$$;

-- Returns whether payouts may be sent here: not after a takeover or a restore that may have lost some that were sent.
create or replace function payouts_are_open() returns boolean language sql stable as $$
  select not exists (select from payout_fence where timeline <> database_timeline());
$$;

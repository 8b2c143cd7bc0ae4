-- A batch of the ledger is on the disk before anybody is told, whatever synchronous_commit a session, login or database
-- was given. A SET clause of the function would not do: it ends with the function, before the commit.
do $$
declare was text := pg_get_functiondef('ledger_post'::regproc); becomes text;
begin
  becomes := replace(was, 'perform pg_advisory_xact_lock(4711);', 'if current_setting(''synchronous_commit'') in (''off'', ''local'') then
    perform set_config(''synchronous_commit'', ''on'', true);
  end if;
  perform pg_advisory_xact_lock(4711);');
  if becomes = was then raise exception 'ledger_post does not take its lock where this file expects it'; end if;
  execute becomes;
end $$;

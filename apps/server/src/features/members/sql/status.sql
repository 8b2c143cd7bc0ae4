-- Notifies every server process that the member can no longer be logged in, so that it closes the member's sockets.
create or replace function member_refused() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.id::text);
  return null;
end $$;

-- Closes the sockets of a member who is suspended or whose account is closed.
create or replace trigger member_refused
  after update of status on member
  for each row when (old.status is distinct from new.status and new.status <> 'ACTIVE')
  execute function member_refused();

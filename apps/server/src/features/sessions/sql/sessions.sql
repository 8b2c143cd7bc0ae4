-- Notifies every server process that a session of the member has ended, so that it closes the member's sockets.
create or replace function session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.member_id::text);
  return null;
end $$;

-- Closes the sockets of an ended session.
create or replace trigger session_ended
  after update of ended_at on session
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function session_ended();

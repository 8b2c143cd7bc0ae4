create or replace function member_refused() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.id::text);
  return null;
end $$;

create or replace trigger member_refused
  after update of status on member
  for each row when (old.status is distinct from new.status and new.status <> 'ACTIVE')
  execute function member_refused();

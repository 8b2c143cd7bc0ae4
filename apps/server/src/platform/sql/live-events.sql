-- Open consoles hear that something changed; the next read is the truth.
create or replace function desk_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('desk', tg_argv[0]);
  return null;
end $$;

-- Every arrival has a name of its own, so that the open pages of one browser ring for it once between them. Several
-- of one transaction are one arrival.
create or replace function desk_arrived() returns trigger language plpgsql as $$
begin
  perform pg_notify('desk', tg_argv[0] || ' new ' || pg_current_xact_id());
  return null;
end $$;

-- Told to every member's screen: what it shows of the site is no longer so.
create or replace function site_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('member_event',
    jsonb_build_array(jsonb_build_object('memberId', '*', 'event', 'site', 'payload', jsonb_build_object('part', tg_argv[0])))::text);
  return null;
end $$;

create or replace trigger desk_arrived
  after insert on alert for each row
  execute function desk_arrived('alerts');
create or replace trigger desk_changed
  after update on alert for each statement
  execute function desk_changed('alerts');

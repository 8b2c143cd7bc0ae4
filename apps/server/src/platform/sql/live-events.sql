-- Notifies open consoles that the list named by the trigger's argument has changed. The notification carries no rows:
-- consoles read the list again.
create or replace function console_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('console', tg_argv[0]);
  return null;
end $$;

-- Notifies open consoles of a new row in the list named by the trigger's argument. The payload ends with the id of
-- the transaction, so that all open pages of one browser together alert the operator once for it.
create or replace function console_arrived() returns trigger language plpgsql as $$
begin
  perform pg_notify('console', tg_argv[0] || ' new ' || pg_current_xact_id());
  return null;
end $$;

-- Notifies the open pages of a member that what the event names has changed.
create or replace function member_changed(_member bigint, _event text) returns void language sql as $$
  select pg_notify('member_event', jsonb_build_array(jsonb_build_object(
    'memberId', _member::text, 'event', _event, 'payload', '{}'::jsonb))::text)
$$;

-- Notifies all member apps that the part of the site named by the trigger's argument has changed.
create or replace function site_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('member_event', jsonb_build_array(jsonb_build_object(
    'memberId', '*', 'event', 'site', 'payload', jsonb_build_object('part', tg_argv[0])))::text);
  return null;
end $$;

-- Notifies the consoles that show a member of what an operator or the system did with them.
create or replace function console_member_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('console', 'members changed ' || split_part(new.subject, ':', 2));
  return null;
end $$;

-- Tells consoles of actions on members as the trail records them.
create or replace trigger console_member_changed
  after insert on audit
  for each row when (starts_with(new.subject, 'member:'))
  execute function console_member_changed();

-- Notifies consoles of a new alert.
create or replace trigger console_arrived
  after insert on alert for each row
  execute function console_arrived('alerts');

-- Notifies consoles of alerts that were taken, released, ended or brought up to date.
create or replace trigger console_changed
  after update on alert for each row
  execute function console_changed('alerts');

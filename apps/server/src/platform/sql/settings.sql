-- Notifies every server process of the key of a changed setting.
create or replace function setting_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('setting', new.key);
  return new;
end $$;

-- Returns the value of a setting, or the fallback when none is stored. A test compares the fallbacks used in SQL with
-- the defaults of the server.
create or replace function setting_value(_key text, _fallback jsonb) returns jsonb language sql stable as $$
  select coalesce((select s.value from setting s where s.key = _key), _fallback)
$$;

-- Notifies server processes of each changed setting.
create or replace trigger setting_changed
  after insert or update on setting for each row
  execute function setting_changed();

-- Notifies member apps that settings have changed.
create or replace trigger site_changed
  after insert or update on setting for each statement
  execute function site_changed('settings');

create or replace function setting_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('setting', new.key);
  return new;
end $$;

-- A setting as it is now; the fallbacks are those of the program, which a test compares.
create or replace function setting_value(_key text, _fallback jsonb) returns jsonb language sql stable as $$
  select coalesce((select s.value from setting s where s.key = _key), _fallback)
$$;

create or replace trigger setting_changed
  after insert or update on setting for each row
  execute function setting_changed();
create or replace trigger site_changed
  after insert or update on setting for each statement
  execute function site_changed('settings');

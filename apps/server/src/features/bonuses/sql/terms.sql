-- Stores the written version of a bonus. Versions are never changed or deleted.
create or replace function bonus_keep_version() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  insert into bonus_version values (new.id, new.version, to_jsonb(new)) on conflict do nothing;
  return null;
end $$;

-- Stores every version of a bonus.
create or replace trigger bonus_keep_version
  after insert or update on bonus for each row
  execute function bonus_keep_version();

-- Notifies member apps that bonuses have changed.
create or replace trigger site_changed
  after insert or update on bonus for each statement
  execute function site_changed('bonuses');

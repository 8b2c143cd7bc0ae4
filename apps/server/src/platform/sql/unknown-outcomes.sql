create or replace function begin_watch() returns trigger language plpgsql as $$
begin
  new.watched_since := now();
  new.watch_asked_at := null;
  return new;
end $$;

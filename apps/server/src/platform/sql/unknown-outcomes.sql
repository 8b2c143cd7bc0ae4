-- Starts watching an order that ended as failed: the partner is queried about it for some days, in case it carried
-- the order out after all.
create or replace function begin_watch() returns trigger language plpgsql as $$
begin
  new.watched_since := now();
  new.watch_asked_at := null;
  return new;
end $$;

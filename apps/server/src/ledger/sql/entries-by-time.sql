-- Returns an entry id that no entry made since a moment is below, without an index by time: ids follow the time of
-- the entries, whose servers' clocks never differ by a day, so the id is found by bisection.
create or replace function ledger_entry_since(_since timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint;
  middle bigint;
  made_at timestamptz;
begin
  select coalesce(max(e.id), 0) + 1 into high from ledger_entry e;
  while low < high loop
    middle := (low + high) / 2;
    select e.created_at into made_at from ledger_entry e where e.id >= middle order by e.id limit 1;
    if made_at < _since - interval '1 day' then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;

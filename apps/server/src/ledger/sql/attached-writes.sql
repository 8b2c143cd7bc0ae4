-- Calls the guard of every kind of attached write in the batch. Returns the refusal of each item as JSON: the one its
-- caller forced, else its guard's; null when there is none.
create or replace function ledger_ask_guards(_names text[], _attached int[], _rows text[], _refusals text[])
returns text[] language plpgsql as $$
declare
  codes text[] := _refusals; guard text; guarded text[]; positions int[]; refusals text[]; item int;
begin
  for n in 1 .. coalesce(cardinality(_names), 0) loop
    select c.guard_function into guard from ledger_companion c where c.name = _names[n];
    if not found then raise exception 'unknown attached write %', _names[n]; end if;
    continue when guard is null;
    if n = all(_attached) then
      guarded := _rows; positions := null;
    else
      select array_agg(u.row order by u.position), array_agg(u.position::int order by u.position)
        into guarded, positions
        from unnest(_rows, _attached) with ordinality u(row, attached, position) where u.attached = n;
    end if;
    execute format('select %I($1)', guard) into refusals using guarded;
    for r in 1 .. coalesce(cardinality(refusals), 0) loop
      continue when refusals[r] is null;
      item := coalesce(positions[r], r);
      codes[item] := coalesce(codes[item], json_build_object('message', refusals[r])::text);
    end loop;
  end loop;
  return codes;
end $$;

-- Writes the rows that explain the posted items, one call for each kind.
create or replace function ledger_write_attached(
  _names text[], _attached int[], _rows text[], _states text[], _entries bigint[], _now timestamptz
) returns void language plpgsql as $$
declare
  write text; posted_rows text[]; posted_entries bigint[];
begin
  for n in 1 .. coalesce(cardinality(_names), 0) loop
    if n = all(_attached) and 'posted' = all(_states) then
      posted_rows := _rows; posted_entries := _entries;
    else
      select array_agg(u.row order by u.position), array_agg(u.entry order by u.position)
        into posted_rows, posted_entries
        from unnest(_rows, _attached, _states, _entries) with ordinality u(row, attached, state, entry, position)
        where u.attached = n and u.state = 'posted';
    end if;
    continue when posted_rows is null;
    select c.write_function into strict write from ledger_companion c where c.name = _names[n];
    execute format('select %I($1, $2, $3)', write) using posted_rows, posted_entries, _now;
  end loop;
end $$;

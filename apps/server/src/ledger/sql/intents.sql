-- Rejects the end of an interrupted call with INTENT_BEGAN when one of its transfers or withdrawals exists.
create or replace function guard_intent_end(_rows text[]) returns text[] language sql as $$
  select array_agg(case
      when exists (select 1 from provider_transfer t where t.id = any((r.row).ids))
        or exists (select 1 from withdrawal w where w.id = any((r.row).ids)) then 'INTENT_BEGAN'
    end order by r.position)
  from (
    select u.text::intent_end_row as row, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
$$;

-- Ends interrupted calls that moved nothing: their transfers and withdrawals are rejected from now on, and their
-- idempotency keys become free.
create or replace function write_intent_end(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed intent_end_row[];
begin
  select array_agg(r::intent_end_row) into parsed from unnest(_rows) r;
  insert into ended_intent (id) select i from unnest(parsed) p cross join unnest(p.ids) i on conflict do nothing;
  delete from idempotency k
    using unnest(parsed) p
    where k.member_id = p.member_id and k.call = p.call and k.key = p.key and k.state = 'RUNNING'
      and k.answer = p.answer;
end $$;

-- Rejects the end of the rest of an interrupted call with INTENT_BEGAN when one of these transfers or withdrawals
-- exists.
create or replace function guard_intent_rest(_rows text[]) returns text[] language plpgsql as $$
declare
  parsed intent_rest_row[];
  refusals text[];
begin
  select array_agg(u.text::intent_rest_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(text, position);
  select array_agg(case
      when exists (select 1 from provider_transfer t where t.id = any(p.ids))
        or exists (select 1 from withdrawal w where w.id = any(p.ids)) then 'INTENT_BEGAN'
    end order by p.ordinality)
    into refusals
    from unnest(parsed) with ordinality p;
  return refusals;
end $$;

-- Ends the rest of interrupted calls that moved a part: the remaining transfers and withdrawals are rejected from now
-- on, and the idempotency keys stay taken.
create or replace function write_intent_rest(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed intent_rest_row[];
begin
  select array_agg(r::intent_rest_row) into parsed from unnest(_rows) r;
  insert into ended_intent (id) select i from unnest(parsed) p cross join unnest(p.ids) i on conflict do nothing;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('intent_end', 'guard_intent_end', 'write_intent_end'),
  ('intent_rest', 'guard_intent_rest', 'write_intent_rest')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

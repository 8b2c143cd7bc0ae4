create or replace function guard_wish_end(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (select 1 from provider_transfer t where t.id = any((r.row).ids))
      or exists (select 1 from withdrawal w where w.id = any((r.row).ids)) then 'WISH_BEGAN' end order by r.o)
  from (select u.text::wish_end_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create or replace function write_wish_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed wish_end_row[];
begin
  select array_agg(r::wish_end_row) into parsed from unnest(_rows) r;
  insert into ended_wish (id) select i from unnest(parsed) p cross join unnest(p.ids) i on conflict do nothing;
  delete from idempotency k using unnest(parsed) p
    where k.member_id = p.member_id and k.call = p.call and k.key = p.key and k.state = 'RUNNING' and k.answer = p.answer;
end $$;

create or replace function guard_wish_rest(_rows text[]) returns text[] language plpgsql as $$
declare parsed wish_rest_row[]; said text[];
begin
  select array_agg(u.text::wish_rest_row order by u.o) into parsed from unnest(_rows) with ordinality u(text, o);
  select array_agg(case when exists (select 1 from provider_transfer t where t.id = any(p.ids))
      or exists (select 1 from withdrawal w where w.id = any(p.ids)) then 'WISH_BEGAN' end order by p.ordinality)
    into said from unnest(parsed) with ordinality p;
  return said;
end $$;

create or replace function write_wish_rest(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed wish_rest_row[];
begin
  select array_agg(r::wish_rest_row) into parsed from unnest(_rows) r;
  insert into ended_wish (id) select i from unnest(parsed) p cross join unnest(p.ids) i on conflict do nothing;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('wish_end', 'guard_wish_end', 'write_wish_end'),
  ('wish_rest', 'guard_wish_rest', 'write_wish_rest')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- A call that died between its moves: what it has not begun is ended, what it has begun stands, and its key stays taken
-- by the outcome.
create type wish_rest_row as (ids text[]);

create function guard_wish_rest(_rows text[]) returns text[] language plpgsql as $$
declare parsed wish_rest_row[]; said text[];
begin
  select array_agg(u.text::wish_rest_row order by u.o) into parsed from unnest(_rows) with ordinality u(text, o);
  select array_agg(case when exists (select 1 from provider_transfer t where t.id = any(p.ids))
      or exists (select 1 from withdrawal w where w.id = any(p.ids)) then 'WISH_BEGAN' end order by p.ordinality)
    into said from unnest(parsed) with ordinality p;
  return said;
end $$;

create function write_wish_rest(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed wish_rest_row[];
begin
  select array_agg(r::wish_rest_row) into parsed from unnest(_rows) r;
  insert into ended_wish (id) select i from unnest(parsed) p cross join unnest(p.ids) i on conflict do nothing;
end $$;

insert into ledger_companion values ('wish_rest', 'guard_wish_rest', 'write_wish_rest');

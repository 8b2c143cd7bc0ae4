create or replace function guard_promotion_code_start(_rows text[]) returns text[] language plpgsql as $$
declare r promotion_code_start_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::promotion_code_start_row;
    said := array_append(said, coalesce((guard_bonus_start(array[(r.run)::text]))[1],
      case when not exists (select 1 from promotion_code c join promotion_batch b on b.id = c.batch_id
        where c.code = r.code and c.run_id is null and b.revoked_at is null and b.bonus_id = (r.run).bonus_id) then 'NO_PROMOTION' end));
  end loop;
  return said;
end $$;

create or replace function write_promotion_code_start(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r promotion_code_start_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::promotion_code_start_row;
    perform write_bonus_start(array[(r.run)::text], array[_entries[i]], _now);
    update promotion_code set run_id = (r.run).id, used_at = _now where code = r.code;
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('promotion_code_start', 'guard_promotion_code_start', 'write_promotion_code_start')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

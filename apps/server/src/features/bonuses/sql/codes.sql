-- Rejects the start of a run by a single-use code: with the refusal of guard_bonus_start, or with NO_PROMOTION when
-- the code is unknown, used, revoked or of another bonus.
create or replace function guard_promotion_code_start(_rows text[]) returns text[] language plpgsql as $$
declare
  item promotion_code_start_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::promotion_code_start_row;
    refusals := array_append(refusals, coalesce(
      (guard_bonus_start(array[(item.run)::text]))[1],
      case when not exists (
        select 1
        from promotion_code c
        join promotion_batch b on b.id = c.batch_id
        where c.code = item.code and c.run_id is null and b.revoked_at is null and b.bonus_id = (item.run).bonus_id
      ) then 'NO_PROMOTION' end));
  end loop;
  return refusals;
end $$;

-- Starts the runs and marks their codes as used.
create or replace function write_promotion_code_start(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item promotion_code_start_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::promotion_code_start_row;
    perform write_bonus_start(array[(item.run)::text], array[_entries[i]], _now);
    update promotion_code set run_id = (item.run).id, used_at = _now where code = item.code;
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('promotion_code_start', 'guard_promotion_code_start', 'write_promotion_code_start')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- Operators end a run; the act's own audit row tells of it.

create or replace function write_bonus_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r bonus_end_row; run bonus_run; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_end_row;
    update bonus_run set state = r.state, ended_at = _now, ended_by = r.ended_by, taken = r.taken, turnover = r.turnover, stuck_since = null
      where id = r.run_id returning * into run;
    perform statement_add(array[(run.member_id, r.row_id, 'finish_bonus', 'SUCCESS', 'wallet', run.kind, r.taken)::statement_row], _now);
    update statement set reference_kind = run.kind, reference_text = run.label where id = r.row_id;
    insert into audit (at, actor, action, thing, after)
      select _now, r.ended_by, 'bonus.' || lower(r.state), 'member:' || run.member_id,
        jsonb_build_object('run', r.run_id, 'taken', r.taken, 'standing', r.standing)
      where r.ended_by = 'system';
    update alert set closed_at = _now where kind = 'bonus-stuck' and thing = 'member:' || run.member_id and closed_at is null;
    perform outbox_money(array[run.member_id], array[null::jsonb], _now);
  end loop;
end $$;

create type desk_bonus_end_row as (act desk_act_row, ending bonus_end_row);

create function guard_desk_bonus_end(_rows text[]) returns text[] language plpgsql as $$
declare r desk_bonus_end_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_bonus_end_row;
    said := array_append(said, coalesce((guard_bonus_end(array[(r.ending)::text]))[1], desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_bonus_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_bonus_end_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_bonus_end_row;
    perform write_bonus_end(array[(r.ending)::text], array[_entries[i]], _now);
    perform desk_write(array[r.act], _now);
  end loop;
end $$;

insert into ledger_companion values ('desk_bonus_end', 'guard_desk_bonus_end', 'write_desk_bonus_end');

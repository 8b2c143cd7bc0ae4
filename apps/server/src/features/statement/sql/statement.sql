-- Adds statement rows in the given order, numbered after the member's last row.
create or replace function statement_add(_rows statement_row[], _now timestamptz) returns void language sql as $$
  insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
  select r.member_id,
    coalesce((select max(s.number) from statement s where s.member_id = r.member_id), 0)
      + row_number() over (partition by r.member_id order by r.position),
    r.id, r.type, r.status, r.source, r.target, r.amount, _now, _now
  from unnest(_rows) with ordinality r(member_id, id, type, status, source, target, amount, position)
$$;

-- Moves statement rows to a later status. Rows in a final status stay as they are.
create or replace function statement_set(_ids text[], _status text, _now timestamptz) returns void language sql as $$
  update statement
  set status = _status, updated_at = _now
  where id = any(_ids) and status not in ('SUCCESS', 'FAILED')
$$;

-- The deposits that may be the money a member reports: of its amount, made within 24 hours before the report or later.
create or replace function report_credits(_report text) returns setof deposit language sql stable as $$
  select d.* from deposit_claim c join deposit d on d.member_id = c.member_id and d.amount = c.amount
    and d.reversal_id is null and d.created_at > c.created_at - interval '24 hours'
  where c.id = _report order by d.created_at desc limit 5
$$;

-- As before; and what may have been credited already is credited without a bank transaction only by two operators.
create or replace function guard_desk_report(_rows text[]) returns text[] language plpgsql as $$
declare r desk_report_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_report_row;
    code := null;
    perform 1 from deposit_claim d where d.id = r.id and d.status = 'PENDING' for update;
    if not found then code := 'ROW_CHANGED'; end if;
    if code is null and r.line_id is not null then
      perform 1 from bank_line b where b.id = r.line_id and b.state = 'UNMATCHED' and b.amount = r.amount for update;
      if not found then code := 'ROW_CHANGED'; end if;
    elsif code is null and r.status = 'SUCCESS' and (r.act).approval_id is null
        and exists (select 1 from report_credits(r.id)) then
      code := 'ROW_CHANGED';
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

-- As before; against a line the member reads which bank the money came by.
create or replace function write_desk_report(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_report_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_report_row;
    update deposit_claim set status = r.status, updated_at = _now where id = r.id;
    update statement s set source = b.bank_code from bank_line b where s.id = r.id and b.id = r.line_id;
    perform statement_set(array[r.id], r.status, _now);
    if r.line_id is not null then
      update bank_line set state = 'CREDITED' where id = r.line_id;
      insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        select r.id, r.member_id, 'MANUAL', b.bank_code, b.bank_reference, b.amount, true, _entries[i], _now from bank_line b where b.id = r.line_id;
    elsif r.status = 'SUCCESS' then
      insert into manual_entry (id, member_id, operator_id, key, direction, category, amount, reason, approval_id, entry_id, created_at)
        select r.id, r.member_id, coalesce(a.maker_id, (r.act).operator_id), r.id, 'credit', r.category, r.amount, (r.act).reason, a.id, _entries[i], _now
        from (select 1) one left join approval a on a.id = (r.act).approval_id;
    end if;
    perform desk_write(array[r.act], _now);
    perform desk_ended(array['report:' || r.id] || case when r.line_id is null then '{}' else array['unmatched:' || r.line_id] end);
    perform outbox_money(array[r.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.id, 'status', r.status, 'minor', r.amount)], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('desk_report', 'guard_desk_report', 'write_desk_report')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

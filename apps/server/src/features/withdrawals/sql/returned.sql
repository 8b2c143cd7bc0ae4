-- Money comes back once, of a withdrawal that was paid; the line it came by is nobody's and of its amount.
create or replace function guard_desk_return(_rows text[]) returns text[] language plpgsql as $$
declare r desk_return_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_return_row;
    code := null;
    perform 1 from withdrawal w where w.id = r.withdrawal_id and w.status = 'SUCCESS' for update;
    if not found or exists (select 1 from payout_return p where p.withdrawal_id = r.withdrawal_id) then code := 'ROW_CHANGED'; end if;
    if code is null and r.line_id is not null then
      perform 1 from bank_line b join withdrawal w on w.id = r.withdrawal_id join member m on m.id = w.member_id
        where b.id = r.line_id and b.state = 'UNMATCHED' and b.amount = w.amount and b.currency = m.currency for update of b;
      if not found then code := 'ROW_CHANGED'; end if;
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create or replace function write_desk_return(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_return_row; w withdrawal; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_return_row;
    select * into w from withdrawal where id = r.withdrawal_id;
    insert into payout_return (id, withdrawal_id, member_id, amount, proof, line_id, approval_id, entry_id, created_at)
      values (r.id, w.id, w.member_id, w.amount, r.proof, r.line_id, (r.act).approval_id, _entries[i], _now);
    update bank_line set state = 'CREDITED' where id = r.line_id;
    perform statement_add(array[(w.member_id, r.id, 'deposit', 'SUCCESS', 'manual', 'wallet', w.amount)::statement_row], _now);
    perform desk_write(array[r.act], _now);
    if r.line_id is not null then perform desk_ended(array['unmatched:' || r.line_id]); end if;
    perform outbox_money(array[w.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.id, 'status', 'SUCCESS', 'minor', w.amount)], _now);
  end loop;
end $$;

-- A refused withdrawal is not sent once more while a run of the member is under way, as none is asked for then.
create or replace function guard_desk_retry(_rows text[]) returns text[] language plpgsql as $$
declare r desk_retry_row; said text[] := '{}'; code text; member bigint; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_retry_row;
    select w.member_id into member from withdrawal w join payout p on p.withdrawal_id = w.id
      where w.id = r.retry_of and w.status = 'FAILED' and p.state = 'REJECTED' for update of w;
    code := case when not found or exists (select 1 from withdrawal w where w.retry_of = r.retry_of) then 'ROW_CHANGED'
      when exists (select 1 from bonus_run b where b.member_id = member and b.state = 'ACTIVE') then 'BONUS_REMAINING' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create or replace function write_desk_retry(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_retry_row; w withdrawal; a bank_account; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_retry_row;
    select * into w from withdrawal where id = r.retry_of;
    select * into a from bank_account where member_id = w.member_id and status = 'ACTIVE';
    insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until, retry_of)
      values (r.id, w.member_id, a.id, w.amount, 'QUEUED', false, _now, _now, case when a.cool_until > _now then a.cool_until end, w.id);
    perform statement_add(array[(w.member_id, r.id, 'withdraw', 'PENDING', 'wallet', a.bank_code, w.amount)::statement_row], _now);
    perform desk_write(array[r.act], _now);
    perform outbox_money(array[w.member_id], array[jsonb_build_object('kind', 'withdraw', 'id', r.id, 'status', 'PENDING', 'minor', w.amount)], _now);
  end loop;
  perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay');
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('desk_return', 'guard_desk_return', 'write_desk_return'),
  ('desk_retry', 'guard_desk_retry', 'write_desk_retry')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

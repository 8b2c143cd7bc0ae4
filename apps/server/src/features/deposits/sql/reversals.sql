create or replace function guard_desk_reversal(_rows text[]) returns text[] language plpgsql as $$
declare r desk_reversal_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_reversal_row;
    perform 1 from deposit d where d.id = r.deposit_id and d.reversal_id is null for update;
    code := case when found then null else 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create or replace function write_desk_reversal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_reversal_row; d deposit; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_reversal_row;
    select * into d from deposit where id = r.deposit_id;
    insert into reversal (id, member_id, deposit_id, amount, reason, approval_id, entry_id, created_at)
      values (r.id, d.member_id, d.id, d.amount, (r.act).reason, (r.act).approval_id, _entries[i], _now);
    update deposit set reversal_id = r.id where id = d.id;
    update bank_line set state = 'UNMATCHED', reversals = reversals + 1, likely_member_id = null, likely_members = '{}', reason = 'REVERSED'
      where bank_code = d.bank_code and bank_reference = d.bank_reference;
    if not found then
      insert into bank_line (bank_code, bank_reference, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, received_at, state, reversals, reason)
        select d.bank_code, d.bank_reference, m.currency, d.amount, d.bank_code, '', r.payer_sealed, d.created_at, _now, 'UNMATCHED', 1, 'REVERSED'
        from member m where m.id = d.member_id;
    end if;
    perform statement_add(array[(d.member_id, r.id, 'withdraw', 'SUCCESS', 'wallet', 'manual', d.amount)::statement_row], _now);
    perform desk_write(array[r.act], _now);
    perform desk_ended(array['deposit:' || d.id]);
    perform outbox_money(array[d.member_id], array[null::jsonb], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('desk_reversal', 'guard_desk_reversal', 'write_desk_reversal')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

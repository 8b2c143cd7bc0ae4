-- Reports whether an operator has requested approval to reverse a deposit.
create or replace function reversal_requested(_deposit text) returns boolean language sql stable as $$
  select exists (
    select 1
    from approval a
    where a.action = 'deposit.reverse' and a.subject = 'deposit:' || _deposit and a.state = 'PENDING')
$$;

-- Rejects a reversal with ROW_CHANGED when the deposit is already reversed, else with the refusal of the approval.
-- Locks the deposit.
create or replace function guard_operator_reversal(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_reversal_row;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_reversal_row;
    perform 1 from deposit d where d.id = item.deposit_id and d.reversal_id is null for update;
    refusal := case when found then null else 'ROW_CHANGED' end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action)));
  end loop;
  return refusals;
end $$;

-- Writes the reversals with their statement rows and live events, and records the operators' actions. The bank
-- transaction becomes unmatched again. A deposit without one, such as a gift, gets one now, so that operators can
-- credit or return its money. Other approval requests about the deposit lapse.
create or replace function write_operator_reversal(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_reversal_row;
  reversed deposit;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_reversal_row;
    select * into reversed from deposit where id = item.deposit_id;
    insert into reversal (id, member_id, deposit_id, amount, reason, approval_id, entry_id, created_at)
      values (
        item.id, reversed.member_id, reversed.id, reversed.amount, (item.action).reason, (item.action).approval_id,
        _entries[i], _now);
    update deposit set reversal_id = item.id where id = reversed.id;
    update bank_transaction
      set state = 'UNMATCHED', reversals = reversals + 1, likely_member_id = null, likely_members = '{}',
        reason = 'REVERSED'
      where bank_code = reversed.bank_code and bank_reference = reversed.bank_reference;
    if not found then
      insert into bank_transaction (
          bank_code, bank_reference, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, received_at,
          state, reversals, reason)
        select reversed.bank_code, reversed.bank_reference, m.currency, reversed.amount, reversed.bank_code, '',
          item.payer_sealed, reversed.created_at, _now, 'UNMATCHED', 1, 'REVERSED'
        from member m
        where m.id = reversed.member_id;
    end if;
    perform statement_add(array[(
      reversed.member_id, item.id, 'withdraw', 'SUCCESS', 'wallet', 'manual', reversed.amount
      )::statement_row], _now);
    perform operator_write(array[item.action], _now);
    perform operator_ended(array['deposit:' || reversed.id]);
    perform outbox_money(array[reversed.member_id], array[null::jsonb], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('operator_reversal', 'guard_operator_reversal', 'write_operator_reversal')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

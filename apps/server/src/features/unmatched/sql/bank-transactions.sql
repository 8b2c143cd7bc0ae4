-- Rejects an operator's decision on a bank transaction with ROW_CHANGED when it is no longer unmatched, with
-- APPROVAL_PENDING when it is to be credited while a request to send it back waits, else with the refusal of the
-- approval or the assignment. Locks the transaction.
create or replace function guard_operator_bank_transaction(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_bank_transaction_row;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_bank_transaction_row;
    perform 1 from bank_transaction b where b.id = item.bank_transaction_id and b.state = 'UNMATCHED' for update;
    refusal := case
      when not found then 'ROW_CHANGED'
      when item.state = 'CREDITED' and return_requested(item.bank_transaction_id) then 'APPROVAL_PENDING'
    end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action),
      operator_unassigned(item.action)));
  end loop;
  return refusals;
end $$;

-- Writes the new state of the bank transactions and records the operators' actions. A transaction that is credited
-- becomes a deposit with a statement row and live events; one that is returned has no deposit_id.
create or replace function write_operator_bank_transaction(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed operator_bank_transaction_row[];
begin
  select array_agg(u.row::operator_bank_transaction_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  update bank_transaction b set state = p.state from unnest(parsed) p where b.id = p.bank_transaction_id;
  insert into deposit (
      id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
    select p.deposit_id, p.member_id, 'MANUAL', b.bank_code, b.bank_reference, b.amount, true, e.id, _now
    from unnest(parsed) with ordinality p
    join unnest(_entries) with ordinality e(id, position) on e.position = p.ordinality
    join bank_transaction b on b.id = p.bank_transaction_id
    where p.deposit_id is not null;
  perform statement_add(
      array_agg((p.member_id, p.deposit_id, 'deposit', 'SUCCESS', b.bank_code, 'wallet', b.amount)::statement_row),
      _now)
    from unnest(parsed) p
    join bank_transaction b on b.id = p.bank_transaction_id
    where p.deposit_id is not null;
  perform operator_write(array_agg(p.action), _now) from unnest(parsed) p;
  perform outbox_money(
      array_agg(p.member_id),
      array_agg(jsonb_build_object('kind', 'deposit', 'id', p.deposit_id, 'status', 'SUCCESS', 'minor', b.amount)),
      _now)
    from unnest(parsed) p
    join bank_transaction b on b.id = p.bank_transaction_id
    where p.deposit_id is not null;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('operator_bank_transaction', 'guard_operator_bank_transaction', 'write_operator_bank_transaction')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

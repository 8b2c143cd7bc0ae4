-- Returns up to five deposits, newest first, that may already contain the money of a payment report: the same member
-- and amount, not reversed, created less than 24 hours before the report or after it.
create or replace function report_credits(_report text) returns setof deposit language sql stable as $$
  select d.*
  from payment_report r
  join deposit d on d.member_id = r.member_id and d.amount = r.amount
    and d.reversal_id is null and d.created_at > r.created_at - interval '24 hours'
  where r.id = _report
  order by d.created_at desc
  limit 5
$$;

-- Rejects an operator's decision on a payment report with ROW_CHANGED when the report is no longer pending, when
-- the bank transaction it is credited from is not unmatched or differs in amount, or when its money may already be
-- booked, see report_credits and booked_unnamed, unless the request that a second operator approves names that
-- booking. Rejects a credit from a bank transaction that may be on its way back: with APPROVAL_PENDING when a
-- request to return it waits, with CLAIMED when an operator who is neither maker nor checker has taken it. Else
-- rejects with the refusal of the approval or the assignment, and a credit without a bank transaction with that of
-- the operator's limits. Locks the report and the transaction.
create or replace function guard_operator_report(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_report_row;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_report_row;
    refusal := null;
    perform 1 from payment_report r where r.id = item.id and r.status = 'PENDING' for update;
    if not found then refusal := 'ROW_CHANGED'; end if;
    if refusal is null and item.bank_transaction_id is not null then
      perform 1
        from bank_transaction b
        where b.id = item.bank_transaction_id and b.state = 'UNMATCHED' and b.amount = item.amount
        for update;
      refusal := case
        when not found then 'ROW_CHANGED'
        when return_requested(item.bank_transaction_id) then 'APPROVAL_PENDING'
        when exists (
          select 1
          from assignment a
          where a.subject = 'unmatched:' || item.bank_transaction_id
            and a.touched_at > (item.action).assigned_after and a.operator_id <> (item.action).operator_id
            and a.operator_id is distinct from (
              select p.maker_id from approval p where p.id = (item.action).approval_id)
        ) then 'CLAIMED'
        when booked_unnamed(item.bank_transaction_id, item.member_id, (item.action).approval_id) then 'ROW_CHANGED'
      end;
    elsif refusal is null and item.status = 'SUCCESS' and exists (
        select 1
        from report_credits(item.id) d
        where not exists (
          select 1
          from approval a
          where a.id = (item.action).approval_id and d.id = any(string_to_array(a.summary ->> 'credited', ', ')))
      ) then
      refusal := 'ROW_CHANGED';
    end if;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action),
      case when (item.action).approval_id is null then operator_unassigned(item.action) end,
      case when item.status = 'SUCCESS' and item.bank_transaction_id is null then operator_limit_refusal(
        item.action, 'credit', item.member_id, item.amount, 'report:' || item.id)
      end));
  end loop;
  return refusals;
end $$;

-- Writes the decisions on payment reports with their statement rows and live events, records the operators' actions,
-- and lets other approval requests about the report and the bank transaction lapse. A report credited from a bank
-- transaction becomes a deposit and its statement row names the bank; one credited without becomes a manual entry.
create or replace function write_operator_report(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_report_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_report_row;
    update payment_report set status = item.status, updated_at = _now where id = item.id;
    update statement s set source = b.bank_code from bank_transaction b where s.id = item.id
      and b.id = item.bank_transaction_id;
    perform statement_set(array[item.id], item.status, _now);
    if item.bank_transaction_id is not null then
      update bank_transaction set state = 'CREDITED' where id = item.bank_transaction_id;
      insert into deposit (
          id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        select item.id, item.member_id, 'MANUAL', b.bank_code, b.bank_reference, b.amount, true, _entries[i], _now
        from bank_transaction b
        where b.id = item.bank_transaction_id;
    elsif item.status = 'SUCCESS' then
      insert into manual_entry (
          id, member_id, operator_id, key, direction, category, amount, reason, approval_id, entry_id, created_at)
        select item.id, item.member_id, coalesce(a.maker_id, (item.action).operator_id), item.id, 'credit',
          item.category, item.amount, (item.action).reason, a.id, _entries[i], _now
        from (select 1) one
        left join approval a on a.id = (item.action).approval_id;
    end if;
    perform operator_write(array[item.action], _now);
    perform operator_ended(
      array['report:' || item.id]
      || case when item.bank_transaction_id is null
        then '{}' else array['unmatched:' || item.bank_transaction_id] end);
    perform outbox_money(
      array[item.member_id],
      array[jsonb_build_object('kind', 'deposit', 'id', item.id, 'status', item.status, 'minor', item.amount)],
      _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('operator_report', 'guard_operator_report', 'write_operator_report')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

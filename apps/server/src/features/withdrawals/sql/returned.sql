-- Returns up to five deposits, newest first, that may already contain the money of a payout that came back: of the
-- member and the amount, not reversed, made after the withdrawal, and credited because the bank named the member's
-- own account as the sender, or because an operator assigned a bank transaction to the member.
create or replace function return_credits(_withdrawal text) returns setof deposit language sql stable as $$
  select d.*
  from withdrawal w
  join deposit d on d.member_id = w.member_id and d.amount = w.amount and d.channel in ('AUTO', 'MANUAL')
    and d.reversal_id is null and d.created_at > w.created_at
  where w.id = _withdrawal
  order by d.created_at desc
  limit 5
$$;

-- Rejects the return of a payout with ROW_CHANGED when the withdrawal is not paid or was returned before, or when the
-- bank transaction that returned it is not unmatched or differs in amount or currency; with APPROVAL_PENDING when a
-- request to send that transaction back waits, and with CLAIMED when an operator who is neither maker nor checker has
-- taken it; and with ROW_CHANGED when it is returned without a bank transaction although its money may have been
-- credited already, unless the request that a second operator approves names that credit. Else rejects with the
-- refusal of the approval, and a return without a bank transaction with that of the operator's limits. Locks the
-- withdrawal and the transaction.
create or replace function guard_operator_return(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_return_row;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_return_row;
    refusal := null;
    perform 1 from withdrawal w where w.id = item.withdrawal_id and w.status = 'SUCCESS' for update;
    if not found or exists (select 1 from payout_return p where p.withdrawal_id = item.withdrawal_id) then
      refusal := 'ROW_CHANGED';
    end if;
    if refusal is null and item.bank_transaction_id is not null then
      perform 1
        from bank_transaction b
        join withdrawal w on w.id = item.withdrawal_id
        join member m on m.id = w.member_id
        where b.id = item.bank_transaction_id and b.state = 'UNMATCHED' and b.amount = w.amount
          and b.currency = m.currency
        for update of b;
      refusal := case
        when not found then 'ROW_CHANGED'
        when return_requested(item.bank_transaction_id) then 'APPROVAL_PENDING'
        when exists (
          select 1
          from assignment s
          where s.subject = 'unmatched:' || item.bank_transaction_id
            and s.touched_at > (item.action).assigned_after and s.operator_id <> (item.action).operator_id
            and s.operator_id is distinct from (
              select a.maker_id from approval a where a.id = (item.action).approval_id)
        ) then 'CLAIMED'
      end;
    elsif refusal is null and exists (
        select 1
        from return_credits(item.withdrawal_id) d
        where not exists (
          select 1
          from approval a
          where a.id = (item.action).approval_id and d.id = any(string_to_array(a.summary ->> 'credited', ', ')))
      ) then
      refusal := 'ROW_CHANGED';
    end if;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action),
      case when item.bank_transaction_id is null then (
        select operator_limit_refusal(
          item.action, 'credit', w.member_id, w.amount, 'withdrawal:' || w.id || ':return')
        from withdrawal w
        where w.id = item.withdrawal_id)
      end));
  end loop;
  return refusals;
end $$;

-- Writes the returned payouts with their statement rows and live events, marks their bank transactions as credited,
-- fails the slips under review of those as duplicates, and records the operators' actions. Other approval requests
-- about the transaction lapse.
create or replace function write_operator_return(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_return_row;
  paid withdrawal;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_return_row;
    select * into paid from withdrawal where id = item.withdrawal_id;
    insert into payout_return (
        id, withdrawal_id, member_id, amount, proof, bank_transaction_id, approval_id, entry_id, created_at)
      values (
        item.id, paid.id, paid.member_id, paid.amount, item.proof, item.bank_transaction_id,
          (item.action).approval_id,
          _entries[i],
        _now);
    update bank_transaction set state = 'CREDITED' where id = item.bank_transaction_id;
    perform slips_end(item.bank_transaction_id, null, _now);
    perform statement_add(
      array[(paid.member_id, item.id, 'deposit', 'SUCCESS', 'manual', 'wallet', paid.amount)::statement_row], _now);
    perform operator_write(array[item.action], _now);
    if item.bank_transaction_id is not null
      then perform operator_ended(array['unmatched:' || item.bank_transaction_id]); end if;
    perform outbox_money(
      array[paid.member_id],
      array[jsonb_build_object('kind', 'deposit', 'id', item.id, 'status', 'SUCCESS', 'minor', paid.amount)],
      _now);
  end loop;
end $$;

-- Rejects sending a refused withdrawal again with ROW_CHANGED when the bank did not refuse it or it was sent again
-- before, and with BONUS_REMAINING during an active run, as for a new withdrawal; else with the refusal of the
-- approval, or of the operator's limits. Locks the withdrawal.
create or replace function guard_operator_retry(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_retry_row;
  refusals text[] := '{}';
  refusal text;
  member bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_retry_row;
    select w.member_id into member
      from withdrawal w
      join payout p on p.withdrawal_id = w.id
      where w.id = item.retry_of and w.status = 'FAILED' and p.state = 'REJECTED'
      for update of w;
    refusal := case
      when not found or exists (select 1 from withdrawal w where w.retry_of = item.retry_of) then 'ROW_CHANGED'
      when exists (
        select 1 from bonus_run b where b.member_id = member and b.state = 'ACTIVE'
      ) then 'BONUS_REMAINING'
    end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action), (
      select operator_limit_refusal(item.action, 'pay', w.member_id, w.amount, 'withdrawal:' || w.id || ':retry')
      from withdrawal w
      where w.id = item.retry_of)));
  end loop;
  return refusals;
end $$;

-- Writes a new withdrawal to the member's current bank account for each refused one, with its statement row and live
-- events; it has the risk score of the first and is held while that account is in its cooling-off period. Records the
-- operators' actions and enqueues the payout job.
create or replace function write_operator_retry(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_retry_row;
  refused withdrawal;
  account bank_account;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_retry_row;
    select * into refused from withdrawal where id = item.retry_of;
    select * into account from bank_account where member_id = refused.member_id and status = 'ACTIVE';
    insert into withdrawal (
        id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until, retry_of,
        risk_score)
      values (
        item.id, refused.member_id, account.id, refused.amount, 'QUEUED', false, _now, _now,
        case when account.cool_until > _now then account.cool_until end, refused.id, refused.risk_score);
    perform statement_add(array[(
      refused.member_id, item.id, 'withdraw', 'PENDING', 'wallet', account.bank_code, refused.amount
      )::statement_row], _now);
    perform operator_write(array[item.action], _now);
    perform outbox_money(
      array[refused.member_id],
      array[jsonb_build_object('kind', 'withdraw', 'id', item.id, 'status', 'PENDING', 'minor', refused.amount)],
      _now);
  end loop;
  perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay');
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('operator_return', 'guard_operator_return', 'write_operator_return'),
  ('operator_retry', 'guard_operator_retry', 'write_operator_retry')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

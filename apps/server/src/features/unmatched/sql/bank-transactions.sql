-- Returns up to five bookings of a member, latest first, that may already contain the money of a bank transaction
-- without an owner:
--   deposit  a deposit of its bank and amount, not reversed, made at most 24 hours apart from it, whose visible
--            digits do not differ, and which no source reports beside it
--   report   a payment report of its amount that an operator credited manually, see credited_by_report
--   return   a withdrawal of its amount whose return was booked without a bank transaction, see credited_by_return
create or replace function transaction_bookings(_transaction bigint, _member bigint)
returns table (kind text, id text, created_at timestamptz) language sql stable as $$
  select k.kind, k.id, k.created_at
  from bank_transaction b
  cross join lateral (
    select 'deposit' as kind, d.id, d.created_at
    from deposit d
    cross join lateral (
      select *
      from bank_transaction o
      where o.bank_code = d.bank_code and o.bank_reference = d.bank_reference
      offset 0
    ) c
    where d.member_id = _member and d.amount = b.amount and d.reversal_id is null
      and d.created_at > b.paid_at - interval '48 hours'
      and c.bank_code = b.bank_code and c.id <> b.id
      and c.paid_at between b.paid_at - interval '24 hours' and b.paid_at + interval '24 hours'
      and mask_compare(c.payer_mask, b.payer_mask) <> 'OTHER'
      and not exists (
        select 1
        from transfer_evidence e
        join transfer_evidence o on o.source = e.source and o.bank_transaction_id = c.id
        where e.bank_transaction_id = b.id)
    union all
    select 'report', r.id, e.created_at
    from manual_entry e
    join payment_report r on r.id = e.key and r.member_id = e.member_id
    where e.member_id = _member and e.amount = b.amount and e.direction = 'credit'
      and e.created_at > b.paid_at - interval '2 minutes' and r.created_at < b.paid_at + interval '48 hours'
      and not exists (select 1 from reported_transfer t where t.payment_report_id = r.id)
    union all
    select 'return', w.id, p.created_at
    from payout_return p
    join withdrawal w on w.id = p.withdrawal_id
    where p.member_id = _member and p.bank_transaction_id is null and p.amount = b.amount
      and p.created_at > b.paid_at - interval '2 minutes' and w.created_at < b.paid_at + interval '2 minutes'
  ) k
  where b.id = _transaction
  order by k.created_at desc
  limit 5
$$;

-- Reports whether the money of a bank transaction may already be booked for a member by a booking that the approved
-- request does not name.
create or replace function booked_unnamed(_transaction bigint, _member bigint, _approval text)
returns boolean language sql stable as $$
  select exists (
    select 1
    from transaction_bookings(_transaction, _member) k
    where not exists (
      select 1
      from approval a
      where a.id = _approval and k.id = any(string_to_array(a.summary ->> 'credited', ', '))))
$$;

-- Rejects an operator's decision on a bank transaction with ROW_CHANGED when it is no longer unmatched, or when it is
-- to be credited although its money may already be booked, see booked_unnamed; with APPROVAL_PENDING when it is to be
-- credited while a request to send it back waits; else with the refusal of the approval or the assignment. Locks the
-- transaction.
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
      when item.state = 'CREDITED'
        and booked_unnamed(item.bank_transaction_id, item.member_id, (item.action).approval_id) then 'ROW_CHANGED'
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

-- Rejects an operator's decision that a bank transaction is the money of a booking made before with ROW_CHANGED when
-- the transaction is no longer unmatched, is of another currency than the member's, or cannot be that booking's
-- money, see transaction_bookings; with APPROVAL_PENDING while a request to send it back waits; else with the refusal
-- of the approval or the assignment. Locks the booking and the transaction.
create or replace function guard_operator_booked_transaction(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_booked_transaction_row;
  owner_id bigint;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_booked_transaction_row;
    owner_id := null;
    if item.kind = 'report' then
      select r.member_id into owner_id from payment_report r where r.id = item.booking_id for update;
    else
      select p.member_id into owner_id from payout_return p where p.withdrawal_id = item.booking_id for update;
    end if;
    perform 1
      from bank_transaction b
      join member m on m.id = owner_id and m.currency = b.currency
      where b.id = item.bank_transaction_id and b.state = 'UNMATCHED'
      for update of b;
    refusal := case
      when not found or not exists (
          select 1
          from transaction_bookings(item.bank_transaction_id, owner_id) k
          where k.kind = item.kind and k.id = item.booking_id
        ) then 'ROW_CHANGED'
      when return_requested(item.bank_transaction_id) then 'APPROVAL_PENDING'
    end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action),
      operator_unassigned(item.action)));
  end loop;
  return refusals;
end $$;

-- Ties the bank transactions to the payment reports or returned payouts whose money they are, and marks them as
-- credited. Fails the slips under review of those transfers as duplicates and records the operators' actions. The
-- members' wallets and statements stay as they are.
create or replace function write_operator_booked_transaction(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_booked_transaction_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_booked_transaction_row;
    if item.kind = 'report' then
      insert into reported_transfer (bank_transaction_id, payment_report_id, entry_id)
        values (item.bank_transaction_id, item.booking_id, _entries[i]);
    else
      update payout_return set bank_transaction_id = item.bank_transaction_id where withdrawal_id = item.booking_id;
    end if;
    update bank_transaction set state = 'CREDITED' where id = item.bank_transaction_id;
    perform slips_end(item.bank_transaction_id, null, _now);
    perform operator_write(array[item.action], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('operator_bank_transaction', 'guard_operator_bank_transaction', 'write_operator_bank_transaction'),
  ('operator_booked_transaction', 'guard_operator_booked_transaction', 'write_operator_booked_transaction')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

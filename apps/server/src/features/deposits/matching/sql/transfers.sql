-- Reports whether a request to send the money of an unmatched bank transaction back waits for approval. It names the
-- payment at the bank, so the money may have left already.
create or replace function return_requested(_transaction bigint) returns boolean language sql stable as $$
  select exists (
    select 1
    from approval a
    where a.action = 'unmatched.return' and a.subject = 'unmatched:' || _transaction and a.state = 'PENDING')
$$;

-- Reports whether evidence may use up its unmatched bank transaction. Else an operator decides: the amounts or
-- currencies differ, or the money may be on its way back: an operator has taken the transaction, or has requested
-- its return.
create or replace function transaction_usable(_transaction bigint, _t transfer_row)
returns boolean language sql stable as $$
  select exists (
    select 1
    from bank_transaction b
    where b.id = _transaction and b.amount = _t.amount and b.currency = _t.currency
      and not exists (select 1 from assignment c where c.subject = 'unmatched:' || b.id)
      and not return_requested(b.id))
$$;

-- Rejects the credit of a transfer: with the result of transfer_fit; with TRANSFER_UNCLEAR when it may already be
-- booked, see booked_before, credited_by_report and credited_by_return, or may not use up its unmatched bank
-- transaction, see transaction_usable; with TRANSFER_CHANGED when it is to be credited from an unmatched bank
-- transaction that is not its own any more or whose deposit was reversed by an operator; and with the refusal of its
-- slip or QR.
create or replace function guard_transfer_credit(_rows text[]) returns text[] language plpgsql as $$
declare
  refusals text[] := '{}';
  item transfer_credit_row;
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::transfer_credit_row;
    refusal := transfer_fit(item.transfer);
    if item.use_bank_transaction_id is not null and refusal = 'TRANSFER_TIED ' || item.use_bank_transaction_id
        and exists (
          select 1 from bank_transaction b where b.id = item.use_bank_transaction_id and b.state = 'UNMATCHED'
            and b.reversals = 0
        ) then
      refusal := case when not transaction_usable(item.use_bank_transaction_id, item.transfer)
        then 'TRANSFER_UNCLEAR' end;
    elsif item.use_bank_transaction_id is not null and refusal is distinct from 'TRANSFER_SEEN' then
      refusal := 'TRANSFER_CHANGED';
    elsif refusal is null and booked_before(item.transfer, item.member_id, item.qr_id) is not null then
      refusal := 'TRANSFER_UNCLEAR';
    end if;
    if refusal is null and (credited_by_report(item.transfer, item.member_id, item.qr_id)
        or item.channel = 'AUTO' and credited_by_return(item.transfer, item.member_id)) then
      refusal := 'TRANSFER_UNCLEAR';
    end if;
    if refusal is null and item.slip_id is not null then
      refusal := slip_refusal(item.slip_id);
    end if;
    if refusal is null and item.qr_id is not null and item.channel = 'QR' then
      refusal := qr_refusal(item.qr_id, (item.transfer).paid_at);
    end if;
    refusals := refusals || array[refusal];
  end loop;
  return refusals;
end $$;

-- Writes the deposits with their bank transactions, evidence, statement rows and live events. Marks the QR as
-- paid and the slip as accepted.
create or replace function write_transfer_credit(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item transfer_credit_row;
  transaction bank_transaction;
  transaction_id bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::transfer_credit_row;
    if item.use_bank_transaction_id is null then
      transaction_id := bank_transaction_put(item.transfer, 'CREDITED', '{}', null, _now);
    else
      transaction_id := item.use_bank_transaction_id;
      update bank_transaction set state = 'CREDITED' where id = item.use_bank_transaction_id;
      perform evidence_put(item.transfer, item.use_bank_transaction_id, case
        when (select b.bank_reference from bank_transaction b
          where b.id = item.use_bank_transaction_id) = (item.transfer).bank_reference
        then 'REFERENCE' else 'FIT' end, _now);
    end if;
    select * into transaction from bank_transaction where id = transaction_id;
    -- Before the deposit, which ends the review of all other slips of the transfer.
    if item.slip_id is not null then perform slip_decide(item.slip_id, 'SUCCESS', null, _now); end if;
    update qr
      set status = 'PAID', closed_at = _now
      where qr.id = item.qr_id and (item.channel = 'QR' or status = 'OPEN');
    insert into deposit (
        id, member_id, channel, bank_code, bank_reference, qr_id, amount, from_stranger, entry_id, created_at)
      values (
        item.deposit_id, item.member_id, item.channel, transaction.bank_code, transaction.bank_reference, item.qr_id,
          transaction.amount,
        item.from_stranger, _entries[i], _now);
    perform statement_add(array[(
      item.member_id, item.deposit_id, 'deposit', 'SUCCESS', transaction.bank_code, 'wallet', transaction.amount
      )::statement_row], _now);
    perform outbox_money(array[item.member_id], array[jsonb_strip_nulls(jsonb_build_object(
      'kind', 'deposit', 'id', item.deposit_id, 'status', 'SUCCESS', 'minor', transaction.amount,
      'qrcodeId', item.qr_id))], _now);
  end loop;
end $$;

-- Rejects an operator's acceptance of a slip as guard_transfer_credit does, and with SLIP_DECIDED when the slip is no
-- longer under review. Locks the slip.
create or replace function guard_transfer_accept(_rows text[]) returns text[] language plpgsql as $$
declare
  refusals text[] := guard_transfer_credit(_rows);
begin
  for i in 1 .. cardinality(_rows) loop
    if refusals[i] is null then
      perform 1
        from slip s
        where s.id = (_rows[i]::transfer_credit_row).slip_id and s.status = 'REVIEW'
        for update;
      if not found then refusals[i] := 'SLIP_DECIDED'; end if;
    end if;
  end loop;
  return refusals;
end $$;

-- Rejects a transfer without a known member with the result of transfer_fit, and with TRANSFER_UNCLEAR when it may
-- already be booked for one of its likely members, as guard_transfer_credit does.
create or replace function guard_transfer_park(_rows text[]) returns text[] language sql as $$
  select array_agg(coalesce(transfer_fit((r.item).transfer), case when exists (
      select 1
      from unnest((r.item).likely) l(member_id)
      where booked_before((r.item).transfer, l.member_id, ((r.item).transfer).reference1) is not null
        or credited_by_report((r.item).transfer, l.member_id, ((r.item).transfer).reference1)
        or ((r.item).transfer).reference1 is null and credited_by_return((r.item).transfer, l.member_id)
    ) then 'TRANSFER_UNCLEAR' end) order by r.position)
  from (
    select u.text::transfer_park_row as item, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
$$;

-- Writes the transfers as unmatched bank transactions.
create or replace function write_transfer_park(_rows text[], _entries bigint[], _now timestamptz)
returns void language sql as $$
  select bank_transaction_put(
    (u.text::transfer_park_row).transfer, 'UNMATCHED', (u.text::transfer_park_row).likely,
    (u.text::transfer_park_row).reason, _now)
  from unnest(_rows) u(text)
$$;

-- Rejects the match of evidence to a bank transaction with TRANSFER_SEEN when this source has given evidence of the
-- transfer that is not in state AGAIN, and with TRANSFER_CHANGED when the transaction has other evidence of the same
-- source. Evidence with the transaction's reference replaces one that was matched by similarity.
create or replace function guard_transfer_tie(_rows text[]) returns text[] language plpgsql as $$
declare
  refusals text[] := '{}';
  item transfer_tie_row;
  held text;
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::transfer_tie_row;
    refusal := null;
    held := null;
    if exists (
        select 1
        from transfer_evidence e
        where e.source = (item.transfer).source and e.bank_code = (item.transfer).bank_code
          and e.bank_reference = (item.transfer).bank_reference and e.state <> 'AGAIN'
      ) then
      refusal := 'TRANSFER_SEEN';
    else
      select e.tied_by into held
        from transfer_evidence e
        where e.bank_transaction_id = item.bank_transaction_id and e.source = (item.transfer).source;
      if held is not null and not (item.tied_by = 'REFERENCE' and held = 'FIT') then
        refusal := 'TRANSFER_CHANGED';
      end if;
    end if;
    refusals := refusals || array[refusal];
  end loop;
  return refusals;
end $$;

-- Matches the evidence to the bank transactions. The slip that gave evidence fails as a duplicate. The QR that gave
-- it counts as paid when its transaction is credited. A transaction without likely members gets those of the
-- evidence.
create or replace function write_transfer_tie(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item transfer_tie_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::transfer_tie_row;
    perform evidence_displace(item.bank_transaction_id, (item.transfer).source);
    perform evidence_put(item.transfer, item.bank_transaction_id, item.tied_by, _now);
    if item.slip_id is not null then
      perform slip_decide(item.slip_id, 'FAILED', 'DUPLICATE_REFERENCE', _now);
    end if;
    update qr
      set status = 'PAID', closed_at = _now
      from bank_transaction b
      where qr.id = item.qr_id and qr.status = 'OPEN' and b.id = item.bank_transaction_id and b.state = 'CREDITED';
    update bank_transaction
      set likely_member_id = item.likely, likely_members = array[item.likely]
      where id = item.bank_transaction_id and state = 'UNMATCHED' and item.likely is not null
        and likely_members = '{}';
  end loop;
end $$;

-- Rejects an ambiguous match with TRANSFER_SEEN when this source has given evidence of the transfer that is not in
-- state AGAIN.
create or replace function guard_transfer_ask(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (
      select 1
      from transfer_evidence e
      where e.source = (r.t).source and e.bank_code = (r.t).bank_code and e.bank_reference = (r.t).bank_reference
        and e.state <> 'AGAIN'
    ) then 'TRANSFER_SEEN' end order by r.position)
  from (
    select (u.text::transfer_ask_row).transfer as t, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
$$;

-- Writes the ambiguous matches for an operator to decide, and moves their slips to review.
create or replace function write_transfer_ask(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item transfer_ask_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::transfer_ask_row;
    perform evidence_put(item.transfer, null, null, _now);
    if item.slip_id is not null then perform slip_decide(item.slip_id, 'REVIEW', null, _now); end if;
  end loop;
end $$;

-- Notifies consoles of changed bank transactions.
create or replace trigger console_changed
  after update on bank_transaction for each statement
  execute function console_changed('unmatched');

-- Alerts operators to a bank transaction that matches no member.
create or replace trigger console_arrived
  after insert on bank_transaction
  for each row when (new.state = 'UNMATCHED')
  execute function console_arrived('unmatched');

-- Notifies consoles of new deposits.
create or replace trigger console_changed
  after insert on deposit for each statement
  execute function console_changed('deposits');

-- Notifies consoles of reversed deposits.
create or replace trigger console_reversed
  after update on deposit for each statement
  execute function console_changed('deposits');

insert into ledger_companion (name, guard_function, write_function) values
  ('transfer_credit', 'guard_transfer_credit', 'write_transfer_credit'),
  ('transfer_park', 'guard_transfer_park', 'write_transfer_park'),
  ('transfer_tie', 'guard_transfer_tie', 'write_transfer_tie'),
  ('transfer_ask', 'guard_transfer_ask', 'write_transfer_ask'),
  ('transfer_accept', 'guard_transfer_accept', 'write_transfer_credit')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

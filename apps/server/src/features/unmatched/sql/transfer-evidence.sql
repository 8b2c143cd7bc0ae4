-- Rejects an operator's decision on an ambiguous match with ROW_CHANGED when it cannot be carried out any more, else
-- with the refusal of the approval or the assignment. Evidence whose bank reference is that of a bank transaction can
-- be matched to this transaction only, even where the amounts differ. Any other evidence can be matched to a
-- transaction of the same bank, currency and amount that has no evidence of the same source. Locks the evidence and
-- the transaction.
create or replace function guard_operator_evidence(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_evidence_row;
  evidence transfer_evidence;
  same_reference bigint;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_evidence_row;
    refusal := null;
    select * into evidence from transfer_evidence e where e.id = item.evidence_id and e.state = 'ASK' for update;
    if not found then
      refusal := 'ROW_CHANGED';
    else
      select b.id into same_reference
        from bank_transaction b
        where b.bank_code = evidence.bank_code and b.bank_reference = evidence.bank_reference;
      if item.bank_transaction_id is null or same_reference is not null then
        if item.bank_transaction_id is distinct from same_reference then refusal := 'ROW_CHANGED'; end if;
      else
        perform 1
          from bank_transaction b
          where b.id = item.bank_transaction_id and b.bank_code = evidence.bank_code
            and b.currency = evidence.currency
            and b.amount = evidence.amount
          for update;
        if not found or exists (
            select 1 from transfer_evidence o where o.bank_transaction_id = item.bank_transaction_id
              and o.source = evidence.source
          ) then refusal := 'ROW_CHANGED'; end if;
      end if;
    end if;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action),
      operator_unassigned(item.action)));
  end loop;
  return refusals;
end $$;

-- Matches the evidence to the bank transactions, or makes a transaction of evidence without one. Evidence that is
-- credited to a member becomes a deposit with a statement row and live events. Also decides the slips under review of
-- a credited transaction and records the operators' actions.
create or replace function write_operator_evidence(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_evidence_row;
  evidence transfer_evidence;
  transaction_id bigint;
  tied text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_evidence_row;
    select * into evidence from transfer_evidence e where e.id = item.evidence_id;
    transaction_id := item.bank_transaction_id;
    if transaction_id is null then
      insert into bank_transaction (
          bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1,
          paid_at, received_at, state, reason)
        values (
          evidence.bank_code, evidence.bank_reference, evidence.account_no, evidence.currency, evidence.amount,
          evidence.payer_bank, evidence.payer_mask, evidence.payer_sealed, evidence.reference1, evidence.paid_at,
            _now,
          case when item.member_id is null then 'UNMATCHED' else 'CREDITED' end,
          case when item.member_id is null then 'unclear' end)
        returning id into transaction_id;
      tied := 'FIRST';
    else
      perform evidence_displace(transaction_id, evidence.source);
      select case when b.bank_reference = evidence.bank_reference then 'REFERENCE' else 'FIT' end
        into tied
        from bank_transaction b
        where b.id = transaction_id;
    end if;
    update transfer_evidence set state = 'TIED', bank_transaction_id = transaction_id, tied_by = tied
      where id = evidence.id;
    if item.member_id is not null then
      insert into deposit (
          id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        values (
          item.deposit_id, item.member_id, 'MANUAL', evidence.bank_code, evidence.bank_reference, evidence.amount,
            true,
          _entries[i], _now);
      perform statement_add(array[(
        item.member_id, item.deposit_id, 'deposit', 'SUCCESS', evidence.bank_code, 'wallet', evidence.amount
        )::statement_row], _now);
      perform outbox_money(array[item.member_id], array[jsonb_build_object(
        'kind', 'deposit', 'id', item.deposit_id, 'status', 'SUCCESS', 'minor', evidence.amount)], _now);
    end if;
    perform slips_end(b.id, null, _now) from bank_transaction b where b.id = transaction_id and b.state = 'CREDITED';
    perform operator_write(array[item.action], _now);
  end loop;
end $$;

-- Returns up to ten payment reports, those made nearest to the transfer first, whose money the evidence may be
-- although an operator has credited them manually: of the same amount and currency, made at most 48 hours after the
-- transfer, credited not before it, and of which no other bank transaction is the money.
create or replace function evidence_reports(_evidence bigint) returns setof payment_report
language sql stable as $$
  select r.*
  from transfer_evidence s
  join payment_report r on r.amount = s.amount and r.created_at < s.paid_at + interval '48 hours'
  join member m on m.id = r.member_id and m.currency = s.currency
  join manual_entry e on e.id = r.id and e.created_at > s.paid_at - interval '2 minutes'
  where s.id = _evidence and not exists (select 1 from reported_transfer t where t.payment_report_id = r.id)
  order by abs(extract(epoch from r.created_at - s.paid_at)), r.id
  limit 10
$$;

-- Rejects an operator's decision that evidence is the money of a manually credited report with ROW_CHANGED when the
-- evidence is decided, when its reference is booked, or when it cannot be that report's money; else with the refusal
-- of the approval or the assignment. Locks the evidence and the report.
create or replace function guard_operator_reported_transfer(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_reported_transfer_row;
  refusals text[] := '{}';
  is_open boolean;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_reported_transfer_row;
    perform 1 from payment_report r where r.id = item.report_id for update;
    perform 1
      from transfer_evidence e
      where e.id = item.evidence_id and e.state = 'ASK'
        and not exists (
          select 1 from bank_transaction b where b.bank_code = e.bank_code and b.bank_reference = e.bank_reference)
      for update;
    is_open := found and exists (select 1 from evidence_reports(item.evidence_id) r where r.id = item.report_id);
    refusals := array_append(refusals, coalesce(
      case when not is_open then 'ROW_CHANGED' end, operator_refusal(item.action), operator_unassigned(item.action)));
  end loop;
  return refusals;
end $$;

-- Makes a credited bank transaction of the evidence, with the report whose money it is. Fails the slips under review
-- of that transfer as duplicates and records the operators' actions. The member's wallet and statement stay as they
-- are.
create or replace function write_operator_reported_transfer(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_reported_transfer_row;
  evidence transfer_evidence;
  transaction_id bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_reported_transfer_row;
    select * into evidence from transfer_evidence e where e.id = item.evidence_id;
    insert into bank_transaction (
        bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1,
        paid_at, received_at, state)
      values (
        evidence.bank_code, evidence.bank_reference, evidence.account_no, evidence.currency, evidence.amount,
        evidence.payer_bank, evidence.payer_mask, evidence.payer_sealed, evidence.reference1, evidence.paid_at, _now,
        'CREDITED')
      returning id into transaction_id;
    insert into reported_transfer (bank_transaction_id, payment_report_id, entry_id)
      values (transaction_id, item.report_id, _entries[i]);
    update transfer_evidence set state = 'TIED', bank_transaction_id = transaction_id, tied_by = 'FIRST'
      where id = evidence.id;
    perform slips_end(transaction_id, null, _now);
    perform operator_write(array[item.action], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('operator_evidence', 'guard_operator_evidence', 'write_operator_evidence'),
  ('operator_reported_transfer', 'guard_operator_reported_transfer', 'write_operator_reported_transfer')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

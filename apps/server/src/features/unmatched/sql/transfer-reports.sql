-- Rejects an operator's decision on a doubtful transfer report with ROW_CHANGED when it cannot be carried out any
-- more, else with the refusal of the approval or the assignment. A report whose bank reference is that of a bank
-- transaction can be matched to this transaction only, even where the amounts differ. Any other report can be matched
-- to a transaction of the same bank, currency and amount that has no report of the same source. Locks the report and
-- the transaction.
create or replace function guard_desk_sighting(_rows text[]) returns text[] language plpgsql as $$
declare
  item desk_sighting_row;
  report bank_sighting;
  same_reference bigint;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::desk_sighting_row;
    refusal := null;
    select * into report from bank_sighting b where b.id = item.sighting_id and b.state = 'ASK' for update;
    if not found then
      refusal := 'ROW_CHANGED';
    else
      select l.id into same_reference
        from bank_line l
        where l.bank_code = report.bank_code and l.bank_reference = report.bank_reference;
      if item.line_id is null or same_reference is not null then
        if item.line_id is distinct from same_reference then refusal := 'ROW_CHANGED'; end if;
      else
        perform 1
          from bank_line l
          where l.id = item.line_id and l.bank_code = report.bank_code and l.currency = report.currency
            and l.amount = report.amount
          for update;
        if not found or exists (
            select 1 from bank_sighting o where o.line_id = item.line_id and o.source = report.source
          ) then refusal := 'ROW_CHANGED'; end if;
      end if;
    end if;
    refusals := array_append(refusals, coalesce(refusal, desk_refusal(item.action), desk_unassigned(item.action)));
  end loop;
  return refusals;
end $$;

-- Matches the transfer reports to their bank transactions, or makes a transaction of a report without one. A report
-- that is credited to a member becomes a deposit with a statement row and live events. Also decides the slip that the
-- report came from, closes the alert and records the operators' actions.
create or replace function write_desk_sighting(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item desk_sighting_row;
  report bank_sighting;
  line bigint;
  tied text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::desk_sighting_row;
    select * into report from bank_sighting b where b.id = item.sighting_id;
    line := item.line_id;
    if line is null then
      insert into bank_line (
          bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1,
          paid_at, received_at, state, reason)
        values (
          report.bank_code, report.bank_reference, report.account_no, report.currency, report.amount,
          report.payer_bank, report.payer_mask, report.payer_sealed, report.reference1, report.paid_at, _now,
          case when item.member_id is null then 'UNMATCHED' else 'CREDITED' end,
          case when item.member_id is null then 'unclear' end)
        returning id into line;
      tied := 'FIRST';
    else
      perform sighting_displace(line, report.source);
      select case when l.bank_reference = report.bank_reference then 'REFERENCE' else 'FIT' end
        into tied
        from bank_line l
        where l.id = line;
    end if;
    update bank_sighting set state = 'TIED', line_id = line, tied_by = tied where id = report.id;
    if item.member_id is not null then
      insert into deposit (
          id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        values (
          item.deposit_id, item.member_id, 'MANUAL', report.bank_code, report.bank_reference, report.amount, true,
          _entries[i], _now);
      perform statement_add(array[(
        item.member_id, item.deposit_id, 'deposit', 'SUCCESS', report.bank_code, 'wallet', report.amount
        )::statement_row], _now);
      perform outbox_money(array[item.member_id], array[jsonb_build_object(
        'kind', 'deposit', 'id', item.deposit_id, 'status', 'SUCCESS', 'minor', report.amount)], _now);
    end if;
    if report.source = 'SLIP' then
      perform slip_decide(
          p.id, case when p.member_id = item.member_id then 'SUCCESS' else 'FAILED' end,
          case when p.member_id = item.member_id then null else 'DUPLICATE_REFERENCE' end, _now)
        from slip p
        where p.trans_ref = report.bank_reference and p.bank_code = report.bank_code and p.status = 'REVIEW'
          and (item.member_id is not null
            or exists (select 1 from bank_line l where l.id = line and l.state = 'CREDITED'));
    end if;
    update alert
      set closed_at = _now
      where kind = 'transfer-unclear' and subject = report.bank_code || ' ' || report.bank_reference
        and closed_at is null;
    perform desk_write(array[item.action], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('desk_sighting', 'guard_desk_sighting', 'write_desk_sighting')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

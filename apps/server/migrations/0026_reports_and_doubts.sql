-- Operators end what members say they paid, and decide tellings that may be of one transfer or another.

create type desk_report_row as (
  act desk_act_row, id text, member_id bigint, amount bigint, status text, line_id bigint, category text
);
create type desk_sighting_row as (
  act desk_act_row, sighting_id bigint, line_id bigint, member_id bigint, deposit_id text
);

create trigger desk_changed after insert or update on deposit_claim for each statement execute function desk_changed('deposits');
create trigger desk_changed after insert or update of state on bank_sighting for each row
  when (new.state = 'ASK') execute function desk_changed('unmatched');

-- Requests about a thing that has come to its end ask for nothing any more.
create function desk_ended(_things text[]) returns void language sql as $$
  update approval set state = 'LAPSED' where thing = any(_things) and state = 'PENDING'
$$;

-- A report ends once; the line it names must still be nobody's, and of the same amount.
create function guard_desk_report(_rows text[]) returns text[] language plpgsql as $$
declare r desk_report_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_report_row;
    code := null;
    perform 1 from deposit_claim d where d.id = r.id and d.status = 'PENDING' for update;
    if not found then code := 'ROW_CHANGED'; end if;
    if code is null and r.line_id is not null then
      perform 1 from bank_line b where b.id = r.line_id and b.state = 'UNMATCHED' and b.amount = r.amount for update;
      if not found then code := 'ROW_CHANGED'; end if;
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

-- The report's own statement row comes to its end. Against a line it is a deposit; without one an operator's entry.
create function write_desk_report(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_report_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_report_row;
    update deposit_claim set status = r.status, updated_at = _now where id = r.id;
    perform statement_set(array[r.id], r.status, _now);
    if r.line_id is not null then
      update bank_line set state = 'CREDITED' where id = r.line_id;
      insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        select r.id, r.member_id, 'MANUAL', b.bank_code, b.bank_reference, b.amount, true, _entries[i], _now from bank_line b where b.id = r.line_id;
    elsif r.status = 'SUCCESS' then
      insert into manual_entry (id, member_id, operator_id, key, direction, category, amount, reason, approval_id, entry_id, created_at)
        select r.id, r.member_id, coalesce(a.maker_id, (r.act).operator_id), r.id, 'credit', r.category, r.amount, (r.act).reason, a.id, _entries[i], _now
        from (select 1) one left join approval a on a.id = (r.act).approval_id;
    end if;
    perform desk_write(array[r.act], _now);
    perform desk_ended(array['report:' || r.id] || case when r.line_id is null then '{}' else array['unmatched:' || r.line_id] end);
    perform outbox_money(array[r.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.id, 'status', r.status, 'minor', r.amount)], _now);
  end loop;
end $$;

-- A telling is decided once. As the same transfer as a line, that line has none of its kind yet; as a transfer of its
-- own, no line bears its reference.
create function guard_desk_sighting(_rows text[]) returns text[] language plpgsql as $$
declare r desk_sighting_row; s bank_sighting; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_sighting_row;
    code := null;
    select * into s from bank_sighting b where b.id = r.sighting_id and b.state = 'ASK' for update;
    if not found then
      code := 'ROW_CHANGED';
    elsif r.line_id is not null then
      perform 1 from bank_line l where l.id = r.line_id and l.bank_code = s.bank_code and l.currency = s.currency and l.amount = s.amount for update;
      if not found or exists (select 1 from bank_sighting o where o.line_id = r.line_id and o.source = s.source) then code := 'ROW_CHANGED'; end if;
    elsif exists (select 1 from bank_line l where l.bank_code = s.bank_code and l.bank_reference = s.bank_reference) then
      code := 'ROW_CHANGED';
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_sighting(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_sighting_row; s bank_sighting; line bigint; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_sighting_row;
    select * into s from bank_sighting b where b.id = r.sighting_id;
    line := r.line_id;
    if line is null then
      insert into bank_line (bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, received_at, state, reason)
        values (s.bank_code, s.bank_reference, s.account_no, s.currency, s.amount, s.payer_bank, s.payer_mask, s.payer_sealed, s.reference1, s.paid_at, _now,
          case when r.member_id is null then 'UNMATCHED' else 'CREDITED' end, case when r.member_id is null then 'unclear' end)
        returning id into line;
    end if;
    update bank_sighting set state = 'TIED', line_id = line, tied_by = case when r.line_id is null then 'FIRST' else 'FIT' end where id = s.id;
    if r.member_id is not null then
      insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        values (r.deposit_id, r.member_id, 'MANUAL', s.bank_code, s.bank_reference, s.amount, true, _entries[i], _now);
      perform statement_add(array[(r.member_id, r.deposit_id, 'deposit', 'SUCCESS', s.bank_code, 'wallet', s.amount)::statement_row], _now);
      perform outbox_money(array[r.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.deposit_id, 'status', 'SUCCESS', 'minor', s.amount)], _now);
    end if;
    -- The slip that told of it is answered by the same word.
    if s.source = 'SLIP' then
      perform slip_decide(p.id, case when p.member_id = r.member_id then 'SUCCESS' else 'FAILED' end,
          case when p.member_id = r.member_id then null else 'DUPLICATE_REFERENCE' end, _now)
        from slip p where p.trans_ref = s.bank_reference and p.bank_code = s.bank_code and p.status = 'REVIEW'
          and (r.member_id is not null or exists (select 1 from bank_line l where l.id = line and l.state = 'CREDITED'));
    end if;
    update alert set closed_at = _now where kind = 'transfer-unclear' and thing = s.bank_code || ' ' || s.bank_reference and closed_at is null;
    perform desk_write(array[r.act], _now);
  end loop;
end $$;

insert into ledger_companion values
  ('desk_report', 'guard_desk_report', 'write_desk_report'),
  ('desk_sighting', 'guard_desk_sighting', 'write_desk_sighting');

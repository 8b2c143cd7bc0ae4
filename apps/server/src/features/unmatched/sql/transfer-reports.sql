-- A report whose bank reference a bank transaction bears is of that transaction and no other: it can be tied to it even
-- if its amount differs, and takes the place of a report that was tied there by likeness.
create or replace function guard_desk_sighting(_rows text[]) returns text[] language plpgsql as $$
declare r desk_sighting_row; s bank_sighting; same_reference bigint; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_sighting_row;
    code := null;
    select * into s from bank_sighting b where b.id = r.sighting_id and b.state = 'ASK' for update;
    if not found then
      code := 'ROW_CHANGED';
    else
      select l.id into same_reference from bank_line l where l.bank_code = s.bank_code and l.bank_reference = s.bank_reference;
      if r.line_id is null or same_reference is not null then
        if r.line_id is distinct from same_reference then code := 'ROW_CHANGED'; end if;
      else
        perform 1 from bank_line l where l.id = r.line_id and l.bank_code = s.bank_code and l.currency = s.currency and l.amount = s.amount for update;
        if not found or exists (select 1 from bank_sighting o where o.line_id = r.line_id and o.source = s.source) then code := 'ROW_CHANGED'; end if;
      end if;
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

create or replace function write_desk_sighting(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_sighting_row; s bank_sighting; line bigint; tied text; i int;
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
      tied := 'FIRST';
    else
      perform sighting_displace(line, s.source);
      select case when l.bank_reference = s.bank_reference then 'REFERENCE' else 'FIT' end into tied from bank_line l where l.id = line;
    end if;
    update bank_sighting set state = 'TIED', line_id = line, tied_by = tied where id = s.id;
    if r.member_id is not null then
      insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        values (r.deposit_id, r.member_id, 'MANUAL', s.bank_code, s.bank_reference, s.amount, true, _entries[i], _now);
      perform statement_add(array[(r.member_id, r.deposit_id, 'deposit', 'SUCCESS', s.bank_code, 'wallet', s.amount)::statement_row], _now);
      perform outbox_money(array[r.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.deposit_id, 'status', 'SUCCESS', 'minor', s.amount)], _now);
    end if;
    -- The slip that reported it is answered by the same decision.
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

insert into ledger_companion (name, guard_function, write_function) values
  ('desk_sighting', 'guard_desk_sighting', 'write_desk_sighting')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- As before, and what an operator has taken back waits for an operator.
create or replace function guard_transfer_credit(_rows text[]) returns text[] language plpgsql as $$
declare said text[] := '{}'; r transfer_credit_row; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_credit_row;
    code := transfer_fit(r.transfer);
    if r.use_line is not null and code = 'TRANSFER_TIED ' || r.use_line
        and exists (select 1 from bank_line l where l.id = r.use_line and l.state = 'UNMATCHED' and l.reversals = 0) then
      code := null;
    elsif r.use_line is not null and code is distinct from 'TRANSFER_SEEN' then
      code := 'TRANSFER_CHANGED';
    elsif code is null and credited_before(r.transfer, r.member_id, r.qr_id) is not null then
      code := 'TRANSFER_UNCLEAR';
    end if;
    if code is null and r.slip_id is not null then code := slip_refusal(r.slip_id); end if;
    if code is null and r.qr_id is not null and r.channel = 'QR' then code := qr_refusal(r.qr_id, (r.transfer).paid_at); end if;
    said := said || array[code];
  end loop;
  return said;
end $$;

create or replace function write_transfer_credit(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r transfer_credit_row; line bank_line; i int; fresh bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_credit_row;
    if r.use_line is null then
      fresh := line_put(r.transfer, 'CREDITED', '{}', null, _now);
    else
      fresh := r.use_line;
      update bank_line set state = 'CREDITED' where id = r.use_line;
      perform sighting_put(r.transfer, r.use_line,
        case when (select l.bank_reference from bank_line l where l.id = r.use_line) = (r.transfer).bank_reference then 'REFERENCE' else 'FIT' end, _now);
    end if;
    select * into line from bank_line where id = fresh;
    update qr set status = 'PAID', closed_at = _now where qr.id = r.qr_id and (r.channel = 'QR' or status = 'OPEN');
    insert into deposit (id, member_id, channel, bank_code, bank_reference, qr_id, amount, from_stranger, entry_id, created_at)
      values (r.deposit_id, r.member_id, r.channel, line.bank_code, line.bank_reference, r.qr_id, line.amount, r.from_stranger, _entries[i], _now);
    if r.slip_id is not null then perform slip_decide(r.slip_id, 'SUCCESS', null, _now); end if;
    perform statement_add(array[(r.member_id, r.deposit_id, 'deposit', 'SUCCESS', line.bank_code, 'wallet', line.amount)::statement_row], _now);
    perform outbox_money(array[r.member_id], array[jsonb_strip_nulls(jsonb_build_object(
      'kind', 'deposit', 'id', r.deposit_id, 'status', 'SUCCESS', 'minor', line.amount, 'qrcodeId', r.qr_id))], _now);
  end loop;
end $$;

-- A slip credited on an operator's word must still wait for one: what another has asked about again meanwhile does not.
create or replace function guard_transfer_accept(_rows text[]) returns text[] language plpgsql as $$
declare said text[] := guard_transfer_credit(_rows); i int;
begin
  for i in 1 .. cardinality(_rows) loop
    if said[i] is null then
      perform 1 from slip s where s.id = (_rows[i]::transfer_credit_row).slip_id and s.status = 'REVIEW' for update;
      if not found then said[i] := 'SLIP_DECIDED'; end if;
    end if;
  end loop;
  return said;
end $$;

create or replace function guard_transfer_park(_rows text[]) returns text[] language sql as $$
  select array_agg(transfer_fit((u.text::transfer_park_row).transfer) order by u.o) from unnest(_rows) with ordinality u(text, o)
$$;

create or replace function write_transfer_park(_rows text[], _entries bigint[], _now timestamptz) returns void language sql as $$
  select line_put((u.text::transfer_park_row).transfer, 'UNMATCHED', (u.text::transfer_park_row).likely, (u.text::transfer_park_row).reason, _now) from unnest(_rows) u(text)
$$;

-- A place on a line that was taken by a likeness is given to the one that bears the line's reference.
create or replace function guard_transfer_tie(_rows text[]) returns text[] language plpgsql as $$
declare said text[] := '{}'; r transfer_tie_row; held text; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_tie_row; code := null; held := null;
    if exists (select 1 from bank_sighting s where s.source = (r.transfer).source and s.bank_code = (r.transfer).bank_code
        and s.bank_reference = (r.transfer).bank_reference and s.state <> 'AGAIN') then
      code := 'TRANSFER_SEEN';
    else
      select s.tied_by into held from bank_sighting s where s.line_id = r.line_id and s.source = (r.transfer).source;
      if held is not null and not (r.tied_by = 'REFERENCE' and held = 'FIT') then code := 'TRANSFER_CHANGED'; end if;
    end if;
    said := said || array[code];
  end loop;
  return said;
end $$;

create or replace function write_transfer_tie(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r transfer_tie_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_tie_row;
    perform sighting_displace(r.line_id, (r.transfer).source);
    perform sighting_put(r.transfer, r.line_id, r.tied_by, _now);
    if r.slip_id is not null then perform slip_decide(r.slip_id, 'FAILED', 'DUPLICATE_REFERENCE', _now); end if;
    update qr set status = 'PAID', closed_at = _now from bank_line l
      where qr.id = r.qr_id and qr.status = 'OPEN' and l.id = r.line_id and l.state = 'CREDITED';
    update bank_line set likely_member_id = r.likely, likely_members = array[r.likely]
      where id = r.line_id and state = 'UNMATCHED' and r.likely is not null and likely_members = '{}';
  end loop;
end $$;

create or replace function guard_transfer_ask(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (select 1 from bank_sighting s where s.source = (r.t).source and s.bank_code = (r.t).bank_code
      and s.bank_reference = (r.t).bank_reference and s.state <> 'AGAIN') then 'TRANSFER_SEEN' end order by r.o)
  from (select (u.text::transfer_ask_row).transfer as t, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create or replace function write_transfer_ask(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r transfer_ask_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_ask_row;
    perform sighting_put(r.transfer, null, null, _now);
    if r.slip_id is not null then perform slip_decide(r.slip_id, 'REVIEW', null, _now); end if;
  end loop;
end $$;

create or replace trigger desk_changed
  after update on bank_line for each statement
  execute function desk_changed('unmatched');
create or replace trigger desk_arrived
  after insert on bank_line
  for each row when (new.state = 'UNMATCHED')
  execute function desk_arrived('unmatched');
create or replace trigger desk_changed
  after insert on deposit for each statement
  execute function desk_changed('deposits');
create or replace trigger desk_reversed
  after update on deposit for each statement
  execute function desk_changed('deposits');

insert into ledger_companion (name, guard_function, write_function) values
  ('transfer_credit', 'guard_transfer_credit', 'write_transfer_credit'),
  ('transfer_park', 'guard_transfer_park', 'write_transfer_park'),
  ('transfer_tie', 'guard_transfer_tie', 'write_transfer_tie'),
  ('transfer_ask', 'guard_transfer_ask', 'write_transfer_ask'),
  ('transfer_accept', 'guard_transfer_accept', 'write_transfer_credit')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- What may be a second report of a transfer that was credited waits for an operator instead of being credited again.

-- The credited bank transaction of the same member that this report may repeat, although their times differ by more than
-- two minutes: same bank, amount, currency and visible digits, no other account of ours, not reported by this source, at
-- most 24 hours apart. Null: there is none. A transfer made before the QR existed is no payment of that QR.
create function credited_before(_t transfer_row, _member bigint, _qr text) returns bigint language sql stable as $$
  select l.id from deposit d join bank_line l on l.bank_code = d.bank_code and l.bank_reference = d.bank_reference
  where d.member_id = _member and d.amount = _t.amount and d.reversal_id is null
    and d.created_at > _t.paid_at - interval '48 hours'
    and l.bank_code = _t.bank_code and l.currency = _t.currency
    and l.paid_at between _t.paid_at - interval '24 hours' and _t.paid_at + interval '24 hours'
    and (l.account_no is null or _t.account_no is null or l.account_no = _t.account_no)
    and mask_compare(l.payer_mask, _t.payer_mask) <> 'OTHER'
    and not exists (select 1 from bank_sighting s where s.line_id = l.id and s.source = _t.source)
    and not exists (select 1 from qr q where q.id = _qr and l.paid_at < q.created_at - interval '2 minutes')
  limit 1
$$;

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

-- The deposits that may be the money a member reports: of its amount, made within 24 hours before the report or later.
create function report_credits(_report text) returns setof deposit language sql stable as $$
  select d.* from deposit_claim c join deposit d on d.member_id = c.member_id and d.amount = c.amount
    and d.reversal_id is null and d.created_at > c.created_at - interval '24 hours'
  where c.id = _report order by d.created_at desc limit 5
$$;

-- As before; and what may have been credited already is credited without a bank transaction only by two operators.
create or replace function guard_desk_report(_rows text[]) returns text[] language plpgsql as $$
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
    elsif code is null and r.status = 'SUCCESS' and (r.act).approval_id is null
        and exists (select 1 from report_credits(r.id)) then
      code := 'ROW_CHANGED';
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

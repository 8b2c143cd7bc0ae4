-- A deposit that was wrongly credited is taken back by a new entry and a new statement row; the first ones stay.

create table reversal (
  -- Also the id of its statement row.
  id text primary key,
  member_id bigint not null references member,
  deposit_id text not null unique references deposit,
  amount bigint not null check (amount > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null
);

-- A transfer taken back is nobody's again and can be credited once more, by an operator only.
-- Without a reference of its own: the reversal refers to its deposit, and a backup cannot order a circle.
alter table deposit add column reversal_id text;
alter table deposit drop constraint deposit_bank_code_bank_reference_key;
create unique index deposit_transfer on deposit (bank_code, bank_reference) where reversal_id is null;
alter table bank_line add column reversals integer not null default 0;

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
    end if;
    if code is null and r.slip_id is not null then code := slip_refusal(r.slip_id); end if;
    if code is null and r.qr_id is not null and r.channel = 'QR' then code := qr_refusal(r.qr_id, (r.transfer).paid_at); end if;
    said := said || array[code];
  end loop;
  return said;
end $$;

-- `payer_sealed` is the sender's cell for money that came without a bank line, a gift.
create type desk_reversal_row as (act desk_act_row, id text, deposit_id text, payer_sealed bytea);

create function guard_desk_reversal(_rows text[]) returns text[] language plpgsql as $$
declare r desk_reversal_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_reversal_row;
    perform 1 from deposit d where d.id = r.deposit_id and d.reversal_id is null for update;
    code := case when found then null else 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_reversal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_reversal_row; d deposit; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_reversal_row;
    select * into d from deposit where id = r.deposit_id;
    insert into reversal (id, member_id, deposit_id, amount, reason, approval_id, entry_id, created_at)
      values (r.id, d.member_id, d.id, d.amount, (r.act).reason, (r.act).approval_id, _entries[i], _now);
    update deposit set reversal_id = r.id where id = d.id;
    update bank_line set state = 'UNMATCHED', reversals = reversals + 1, likely_member_id = null, likely_members = '{}', reason = 'REVERSED'
      where bank_code = d.bank_code and bank_reference = d.bank_reference;
    if not found then
      insert into bank_line (bank_code, bank_reference, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, received_at, state, reversals, reason)
        select d.bank_code, d.bank_reference, m.currency, d.amount, d.bank_code, '', r.payer_sealed, d.created_at, _now, 'UNMATCHED', 1, 'REVERSED'
        from member m where m.id = d.member_id;
    end if;
    perform statement_add(array[(d.member_id, r.id, 'withdraw', 'SUCCESS', 'wallet', 'manual', d.amount)::statement_row], _now);
    perform desk_write(array[r.act], _now);
    perform desk_ended(array['deposit:' || d.id]);
    perform outbox_money(array[d.member_id], array[null::jsonb], _now);
  end loop;
end $$;

insert into ledger_companion values ('desk_reversal', 'guard_desk_reversal', 'write_desk_reversal');

create trigger desk_reversed after update on deposit for each statement execute function desk_changed('deposits');

update operator_role set permissions = array_append(permissions, 'deposit.reverse')
  where code in ('finance', 'finance-lead') and not 'deposit.reverse' = any(permissions);

grant select on reversal to krapao_app;

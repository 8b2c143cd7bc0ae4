-- A payout that the bank took and later sent back comes home by a new entry and a new row. One that the bank refused
-- can be sent once more, as a withdrawal of its own.

create table payout_return (
  -- Also the id of its statement row.
  id text primary key,
  withdrawal_id text not null unique references withdrawal,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  proof text not null,
  -- The unmatched line that is the money coming back, where the feed had brought it.
  line_id bigint references bank_line,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null
);

alter table withdrawal add column retry_of text references withdrawal;
create unique index withdrawal_retry on withdrawal (retry_of) where retry_of is not null;

create type desk_return_row as (act desk_act_row, id text, withdrawal_id text, proof text, line_id bigint);
create type desk_retry_row as (act desk_act_row, id text, retry_of text);

-- Money comes back once, of a withdrawal that was paid; the line it came by is nobody's and of its amount.
create function guard_desk_return(_rows text[]) returns text[] language plpgsql as $$
declare r desk_return_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_return_row;
    code := null;
    perform 1 from withdrawal w where w.id = r.withdrawal_id and w.status = 'SUCCESS' for update;
    if not found or exists (select 1 from payout_return p where p.withdrawal_id = r.withdrawal_id) then code := 'ROW_CHANGED'; end if;
    if code is null and r.line_id is not null then
      perform 1 from bank_line b join withdrawal w on w.id = r.withdrawal_id join member m on m.id = w.member_id
        where b.id = r.line_id and b.state = 'UNMATCHED' and b.amount = w.amount and b.currency = m.currency for update of b;
      if not found then code := 'ROW_CHANGED'; end if;
    end if;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_return(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_return_row; w withdrawal; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_return_row;
    select * into w from withdrawal where id = r.withdrawal_id;
    insert into payout_return (id, withdrawal_id, member_id, amount, proof, line_id, approval_id, entry_id, created_at)
      values (r.id, w.id, w.member_id, w.amount, r.proof, r.line_id, (r.act).approval_id, _entries[i], _now);
    update bank_line set state = 'CREDITED' where id = r.line_id;
    perform statement_add(array[(w.member_id, r.id, 'deposit', 'SUCCESS', 'manual', 'wallet', w.amount)::statement_row], _now);
    perform desk_write(array[r.act], _now);
    if r.line_id is not null then perform desk_ended(array['unmatched:' || r.line_id]); end if;
    perform outbox_money(array[w.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.id, 'status', 'SUCCESS', 'minor', w.amount)], _now);
  end loop;
end $$;

-- What the bank has refused is sent once more, to the account that is registered now.
create function guard_desk_retry(_rows text[]) returns text[] language plpgsql as $$
declare r desk_retry_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_retry_row;
    perform 1 from withdrawal w join payout p on p.withdrawal_id = w.id
      where w.id = r.retry_of and w.status = 'FAILED' and p.state = 'REJECTED' for update of w;
    code := case when not found or exists (select 1 from withdrawal w where w.retry_of = r.retry_of) then 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_retry(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_retry_row; w withdrawal; a bank_account; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_retry_row;
    select * into w from withdrawal where id = r.retry_of;
    select * into a from bank_account where member_id = w.member_id and status = 'ACTIVE';
    insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until, retry_of)
      values (r.id, w.member_id, a.id, w.amount, 'QUEUED', false, _now, _now, case when a.cool_until > _now then a.cool_until end, w.id);
    perform statement_add(array[(w.member_id, r.id, 'withdraw', 'PENDING', 'wallet', a.bank_code, w.amount)::statement_row], _now);
    perform desk_write(array[r.act], _now);
    perform outbox_money(array[w.member_id], array[jsonb_build_object('kind', 'withdraw', 'id', r.id, 'status', 'PENDING', 'minor', w.amount)], _now);
  end loop;
  perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay');
end $$;

insert into ledger_companion values
  ('desk_return', 'guard_desk_return', 'write_desk_return'),
  ('desk_retry', 'guard_desk_retry', 'write_desk_retry');

grant select on payout_return to krapao_app;

-- Operators' acts that move money; each commits with its audit row, its approval and its claim.

alter table withdrawal add column proof text;
alter table bank_line drop constraint bank_line_state_check;
alter table bank_line add constraint bank_line_state_check check (state in ('CREDITED', 'UNMATCHED', 'RETURNED'));

-- An operator's own entry, once by the key his console made.
create table manual_entry (
  id text primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  key text not null,
  direction text not null check (direction in ('credit', 'debit')),
  category text not null check (category in ('correction', 'goodwill', 'campaign', 'fee', 'other')),
  amount bigint not null check (amount > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index manual_entry_of on manual_entry (member_id, created_at);

create type desk_withdrawal_row as (
  act desk_act_row, id text, member_id bigint, amount bigint, status text, reason text, proof text, payout_state text, seen text
);
create type desk_line_row as (act desk_act_row, line_id bigint, state text, member_id bigint, deposit_id text);
create type desk_entry_row as (act desk_act_row, statement statement_row, direction text, category text, key text);
create type desk_transfer_row as (act desk_act_row, ending transfer_end_row, state text);

-- The withdrawal must still be as the operator saw it. What the bank may still pay is booked by hand only once its
-- answer is overdue.
create function guard_desk_withdrawal(_rows text[]) returns text[] language plpgsql as $$
declare r desk_withdrawal_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_withdrawal_row;
    perform 1 from withdrawal w left join payout p on p.withdrawal_id = w.id
      where w.id = r.id and w.status = r.seen and (w.status in ('QUEUED', 'REVIEW') or (w.status = 'PROCESSING' and p.state = 'UNKNOWN'))
      for update of w;
    code := case when found then null else 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_withdrawal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_withdrawal_row[];
begin
  select array_agg(r::desk_withdrawal_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update withdrawal w set status = p.status, reason = p.reason, proof = p.proof, updated_at = _now from unnest(parsed) p where w.id = p.id;
  update payout o set state = p.payout_state, touched_at = _now from unnest(parsed) p where o.withdrawal_id = p.id and p.payout_state is not null;
  perform statement_set(array_agg(p.id), p.status, _now) from unnest(parsed) p group by p.status;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'withdraw', 'id', p.id, 'status', p.status, 'minor', p.amount)), _now)
    from unnest(parsed) p;
end $$;

create function guard_desk_line(_rows text[]) returns text[] language plpgsql as $$
declare r desk_line_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_line_row;
    perform 1 from bank_line b where b.id = r.line_id and b.state = 'UNMATCHED' for update;
    code := case when found then null else 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

-- A line credited to a member is a deposit of his; one sent back is only marked.
create function write_desk_line(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_line_row[];
begin
  select array_agg(r::desk_line_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update bank_line b set state = p.state from unnest(parsed) p where b.id = p.line_id;
  insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
    select p.deposit_id, p.member_id, 'MANUAL', b.bank_code, b.bank_reference, b.amount, true, e.id, _now
    from unnest(parsed) with ordinality p join unnest(_entries) with ordinality e(id, o) on e.o = p.ordinality join bank_line b on b.id = p.line_id
    where p.deposit_id is not null;
  perform statement_add(array_agg((p.member_id, p.deposit_id, 'deposit', 'SUCCESS', b.bank_code, 'wallet', b.amount)::statement_row), _now)
    from unnest(parsed) p join bank_line b on b.id = p.line_id where p.deposit_id is not null;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'deposit', 'id', p.deposit_id, 'status', 'SUCCESS', 'minor', b.amount)), _now)
    from unnest(parsed) p join bank_line b on b.id = p.line_id where p.deposit_id is not null;
end $$;

create function guard_desk_entry(_rows text[]) returns text[] language plpgsql as $$
declare r desk_entry_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_entry_row;
    said := array_append(said, desk_refusal(r.act));
  end loop;
  return said;
end $$;

create function write_desk_entry(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_entry_row[];
begin
  select array_agg(r::desk_entry_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  insert into manual_entry (id, member_id, operator_id, key, direction, category, amount, reason, approval_id, entry_id, created_at)
    select (p.statement).id, (p.statement).member_id, coalesce(a.maker_id, (p.act).operator_id), p.key, p.direction, p.category, (p.statement).amount,
      (p.act).reason, (p.act).approval_id, e.id, _now
    from unnest(parsed) with ordinality p join unnest(_entries) with ordinality e(id, o) on e.o = p.ordinality
    left join approval a on a.id = (p.act).approval_id;
  perform statement_add(array_agg((p).statement), _now) from unnest(parsed) p;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
  perform outbox_money(array_agg(((p).statement).member_id), array_agg(null::jsonb), _now) from unnest(parsed) p;
end $$;

create function guard_desk_transfer(_rows text[]) returns text[] language plpgsql as $$
declare r desk_transfer_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_transfer_row;
    perform 1 from provider_transfer t where t.id = (r.ending).id and t.state in ('RESERVED', 'UNKNOWN') for update;
    code := case when found then null else 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_transfer(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_transfer_row[];
begin
  select array_agg(r::desk_transfer_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  perform write_transfer_end(array_agg((p.ending)::text order by ordinality), _entries, _now) from unnest(parsed) with ordinality p;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
end $$;

insert into ledger_companion values
  ('desk_withdrawal', 'guard_desk_withdrawal', 'write_desk_withdrawal'),
  ('desk_line', 'guard_desk_line', 'write_desk_line'),
  ('desk_entry', 'guard_desk_entry', 'write_desk_entry'),
  ('desk_transfer', 'guard_desk_transfer', 'write_desk_transfer');

grant select on manual_entry to krapao_app;

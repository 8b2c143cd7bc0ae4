-- What was paid into and out of a wallet after an entry. Withdrawals count when they are asked for, less what came back
-- of them; anything else by its sign. Play and bonuses do not count.
create or replace function refund_flows(_wallet bigint, _after bigint, _upto bigint, out postings bigint, out paid_in bigint, out paid_out bigint)
language sql stable as $$
  select count(*),
    coalesce(sum(p.amount) filter (where p.amount > 0 and e.kind not like 'withdrawal%' and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%'), 0)::bigint,
    -coalesce(sum(p.amount) filter (where e.kind like 'withdrawal%' or (p.amount < 0 and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%')), 0)::bigint
  from ledger_posting p join ledger_entry e on e.id = p.entry_id
  where p.account_id = _wallet and p.entry_id > _after and p.entry_id <= _upto
$$;

-- Where a member stands in the period under way. `number` is the last that was closed.
create or replace function refund_figures(_member bigint, out number integer, out from_at timestamptz, out opening bigint,
  out paid_in bigint, out paid_out bigint, out deposits bigint, out withdrawals bigint, out balance bigint, out loss bigint)
language plpgsql stable as $$
declare m member; s refund_sum; f record; p refund_period; ins bigint; outs bigint;
begin
  select * into m from member where id = _member;
  select * into s from refund_sum where member_id = _member;
  select * into f from refund_flows(m.wallet_account, coalesce(s.entry_id, 0), 9223372036854775807);
  select * into p from refund_period r where r.member_id = _member order by r.number desc limit 1;
  number := coalesce(p.number, 0);
  from_at := coalesce(p.to_at, m.created_at);
  opening := coalesce(p.balance, 0);
  paid_in := coalesce(s.paid_in, 0) + f.paid_in;
  paid_out := coalesce(s.paid_out, 0) + f.paid_out;
  ins := paid_in - coalesce(p.paid_in, 0);
  outs := paid_out - coalesce(p.paid_out, 0);
  -- A withdrawal of an earlier period that came back in this one is money paid in.
  deposits := ins + greatest(-outs, 0);
  withdrawals := greatest(outs, 0);
  balance := member_total(_member);
  loss := greatest(deposits + opening - withdrawals - balance, 0);
end $$;

-- The figures must still be those it was worked out on. Items of one member never meet in a batch.
create or replace function guard_refund_receive(_rows text[]) returns text[] language plpgsql as $$
declare r refund_receive_row; f record; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::refund_receive_row;
    select * into f from refund_figures(r.member_id);
    said := array_append(said, case
      when exists (select 1 from bonus_run b where b.member_id = r.member_id and b.state = 'ACTIVE') then 'STALE'
      when bonus_remains(r.member_id, null) then 'STALE'
      when (select count(*) from refund_period p where p.member_id = r.member_id and p.to_at >= r.day) >= r.day_max then 'STALE'
      when (f.number + 1, f.paid_in, f.paid_out, f.balance) is distinct from (r.number, r.paid_in, r.paid_out, r.balance) then 'STALE'
    end);
  end loop;
  return said;
end $$;

create or replace function write_refund_receive(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r refund_receive_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::refund_receive_row;
    insert into refund_period (member_id, number, from_at, to_at, deposits, withdrawals, opening, balance, loss, percent, amount, paid_in, paid_out, entry_id)
      values (r.member_id, r.number, r.from_at, _now, r.deposits, r.withdrawals, r.opening, r.balance, r.loss, r.percent, r.amount, r.paid_in, r.paid_out, _entries[i]);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('refund_receive', 'guard_refund_receive', 'write_refund_receive')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- Returns what came into a wallet and went out of it after entry `_after` up to entry `_upto`, in minor units, and
-- the number of postings. A withdrawal counts when it is requested; what is released of it later reduces the sum. Any
-- other movement counts by its sign. Game transfers and bonuses do not count.
create or replace function refund_flows(
  _wallet bigint, _after bigint, _upto bigint,
  out postings bigint, out paid_in bigint, out paid_out bigint
) language sql stable as $$
  select count(*),
    coalesce(sum(p.amount) filter (
      where p.amount > 0 and e.kind not like 'withdrawal%'
        and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%'), 0)::bigint,
    -coalesce(sum(p.amount) filter (
      where e.kind like 'withdrawal%'
        or (p.amount < 0 and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%')), 0)::bigint
  from ledger_posting p
  join ledger_entry e on e.id = p.entry_id
  where p.account_id = _wallet and p.entry_id > _after and p.entry_id <= _upto
$$;

-- Returns the figures of a member's current refund period, in minor units. `number` is that of the last closed
-- period; `paid_in` and `paid_out` are sums since registration.
create or replace function refund_figures(
  _member bigint,
  out number integer, out from_at timestamptz, out opening bigint, out paid_in bigint, out paid_out bigint,
  out deposits bigint, out withdrawals bigint, out balance bigint, out loss bigint
) language plpgsql stable as $$
declare
  owner member;
  sums refund_sum;
  recent record;
  previous refund_period;
  net_in bigint;
  net_out bigint;
begin
  select * into owner from member where id = _member;
  select * into sums from refund_sum where member_id = _member;
  select * into recent from refund_flows(owner.wallet_account, coalesce(sums.entry_id, 0), 9223372036854775807);
  select * into previous from refund_period r where r.member_id = _member order by r.number desc limit 1;
  number := coalesce(previous.number, 0);
  from_at := coalesce(previous.to_at, owner.created_at);
  opening := coalesce(previous.balance, 0);
  paid_in := coalesce(sums.paid_in, 0) + recent.paid_in;
  paid_out := coalesce(sums.paid_out, 0) + recent.paid_out;
  net_in := paid_in - coalesce(previous.paid_in, 0);
  net_out := paid_out - coalesce(previous.paid_out, 0);
  -- A withdrawal of an earlier period that was released in this one counts as a deposit.
  deposits := net_in + greatest(-net_out, 0);
  withdrawals := greatest(net_out, 0);
  balance := member_total(_member);
  loss := greatest(deposits + opening - withdrawals - balance, 0);
end $$;

-- Rejects a refund with STALE during an active run, while money is in progress (see bonus_remains), above the number
-- of refunds a day, and when the figures it was calculated from have changed. Two refunds of one member are never in
-- one batch.
create or replace function guard_refund_receive(_rows text[]) returns text[] language plpgsql as $$
declare
  item refund_receive_row;
  figures record;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::refund_receive_row;
    select * into figures from refund_figures(item.member_id);
    refusals := array_append(refusals, case
      when exists (select 1 from bonus_run b where b.member_id = item.member_id and b.state = 'ACTIVE') then 'STALE'
      when bonus_remains(item.member_id, null) then 'STALE'
      when (
        select count(*) from refund_period p where p.member_id = item.member_id and p.to_at >= item.day
      ) >= item.day_max then 'STALE'
      when (figures.number + 1, figures.paid_in, figures.paid_out, figures.balance)
        is distinct from (item.number, item.paid_in, item.paid_out, item.balance) then 'STALE'
    end);
  end loop;
  return refusals;
end $$;

-- Closes the refund periods with their figures.
create or replace function write_refund_receive(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item refund_receive_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::refund_receive_row;
    insert into refund_period (
        member_id, number, from_at, to_at, deposits, withdrawals, opening, balance, loss, percent, amount, paid_in,
        paid_out, entry_id)
      values (
        item.member_id, item.number, item.from_at, _now, item.deposits, item.withdrawals, item.opening, item.balance,
        item.loss, item.percent, item.amount, item.paid_in, item.paid_out, _entries[i]);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('refund_receive', 'guard_refund_receive', 'write_refund_receive')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- Reports whether an operator has requested approval to settle the withdrawal manually. The operator's transaction
-- locks the withdrawal's row. A caller that has waited for this row must call this function in a new statement, which
-- sees what was committed meanwhile.
create or replace function withdrawal_by_hand_asked(_id text) returns boolean language sql stable as $$
  select exists (
    select 1
    from approval a
    where a.subject = 'withdrawal:' || _id and a.action = 'withdrawal.paid' and a.state = 'PENDING')
$$;

-- Reports whether no decision about the withdrawal is recorded that can still be undone.
create or replace function withdrawal_undecided(_id text) returns boolean language sql stable as $$
  select not exists (
    select 1
    from withdrawal_decision d
    where d.withdrawal_id = _id and d.taken_at is null)
$$;

-- Rejects the end of a withdrawal with REQUEST_LIMIT when an operator refuses it (no payout state) and it is not in
-- review any more, because the bank may already have the order, or while a decision about it can be undone; and with
-- APPROVAL_PENDING when it fails while a manual settlement waits for approval, because an operator may have paid it.
-- Locks the withdrawals, so that an approval in progress commits first.
create or replace function guard_withdrawal_end(_rows text[]) returns text[] language plpgsql as $$
declare
  refusals text[];
begin
  perform 1
    from withdrawal w
    where w.id in (select (u.text::withdrawal_end_row).id from unnest(_rows) u(text))
    order by w.id
    for update;
  select array_agg(case
      when (r.row).payout_state is null and (w.status <> 'REVIEW' or not withdrawal_undecided(w.id))
        then 'REQUEST_LIMIT'
      when (r.row).status = 'FAILED' and withdrawal_by_hand_asked(w.id) then 'APPROVAL_PENDING'
    end order by r.position)
    into refusals
    from (
      select u.text::withdrawal_end_row as row, u.position
      from unnest(_rows) with ordinality u(text, position)
    ) r
    left join withdrawal w on w.id = (r.row).id;
  return refusals;
end $$;

-- Ends the withdrawals and their payouts as SUCCESS or FAILED and writes their statement rows and live events, and
-- audit rows where no recorded decision has left one. Keeps what a rejected member reads, and lets other approval
-- requests about a rejected withdrawal lapse.
create or replace function write_withdrawal_end(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed withdrawal_end_row[];
begin
  select array_agg(u.row::withdrawal_end_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  update withdrawal w
    set status = p.status, reason = p.reason, updated_at = _now
    from unnest(parsed) p
    where w.id = p.id;
  update payout o
    set state = p.payout_state, touched_at = _now
    from unnest(parsed) p
    where o.withdrawal_id = p.id and p.payout_state is not null;
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.status = 'SUCCESS';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.status = 'FAILED';
  insert into audit (at, actor, action, subject, after, reason)
    select _now, p.actor, 'withdrawal.' || lower(p.status), 'withdrawal:' || p.id,
      jsonb_build_object('amount', p.amount), p.reason
    from unnest(parsed) p
    where not exists (select 1 from withdrawal_decision d where d.withdrawal_id = p.id);
  perform operator_ended(array_agg('withdrawal:' || p.id))
    from unnest(parsed) p
    where p.payout_state is null
    having count(*) > 0;
  if exists (select 1 from withdrawal_decision d where d.withdrawal_id in (select p.id from unnest(parsed) p)) then
    insert into withdrawal_rejection (withdrawal_id, notice)
      select d.withdrawal_id, d.notice
      from withdrawal_decision d
      where d.withdrawal_id in (select p.id from unnest(parsed) p) and d.notice is not null;
    delete from withdrawal_decision d using unnest(parsed) p where d.withdrawal_id = p.id;
  end if;
  perform outbox_money(
      array_agg(p.member_id),
      array_agg(jsonb_build_object('kind', 'withdraw', 'id', p.id, 'status', p.status, 'minor', p.amount)),
      _now)
    from unnest(parsed) p;
end $$;

-- Returns the other withdrawal that was booked as paid with a proof, without regard to spaces and case; null: none.
create or replace function withdrawal_with_proof(_proof text, _but text) returns text language sql stable as $$
  select w.id
  from withdrawal w
  where lower(replace(w.proof, ' ', '')) = lower(replace(_proof, ' ', '')) and w.proof is not null
    and w.status = 'SUCCESS' and w.id <> _but
  limit 1
$$;

-- Rejects an operator's settlement of a withdrawal with ROW_CHANGED when it is not as the operator saw it, when a
-- decision about it is recorded, or when the bank may still pay it: a processing one is settled manually only once
-- its payout is UNKNOWN. Rejects with APPROVAL_PENDING when it fails while a manual settlement waits for approval,
-- and with PROOF_USED when its proof is that of another withdrawal, booked before or with it; else with the refusal
-- of the approval or the assignment, and a payment with that of the operator's limits. Locks the withdrawal.
create or replace function guard_operator_withdrawal(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_withdrawal_row;
  refusals text[] := '{}';
  refusal text;
  status_now text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_withdrawal_row;
    select w.status into status_now from withdrawal w where w.id = item.id for update;
    refusal := case
      when status_now is distinct from item.seen or status_now not in ('QUEUED', 'REVIEW', 'PROCESSING')
        then 'ROW_CHANGED'
      when exists (select 1 from withdrawal_decision d where d.withdrawal_id = item.id) then 'ROW_CHANGED'
      when status_now = 'PROCESSING' and not exists (
        select 1 from payout p where p.withdrawal_id = item.id and p.state = 'UNKNOWN'
      ) then 'ROW_CHANGED'
      when item.status = 'FAILED' and withdrawal_by_hand_asked(item.id) then 'APPROVAL_PENDING'
      when item.status = 'SUCCESS' and (
        withdrawal_with_proof(item.proof, item.id) is not null
        or exists (
          select 1
          from unnest(_rows[:i - 1]) u(text)
          where (u.text::operator_withdrawal_row).id <> item.id
            and lower(replace((u.text::operator_withdrawal_row).proof, ' ', ''))
              = lower(replace(item.proof, ' ', '')))
      ) then 'PROOF_USED'
    end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action),
      operator_unassigned(item.action),
      case when item.status = 'SUCCESS' then operator_limit_refusal(
        item.action, 'pay', item.member_id, item.amount, 'withdrawal:' || item.id)
      end));
  end loop;
  return refusals;
end $$;

-- Writes the operators' settlements of withdrawals with their statement rows and live events, and records the
-- operators' actions. Where the state of a payout is set, enqueues a query to the bank about it.
create or replace function write_operator_withdrawal(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed operator_withdrawal_row[];
begin
  select array_agg(u.row::operator_withdrawal_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  update withdrawal w
    set status = p.status, reason = p.reason, proof = p.proof, updated_at = _now
    from unnest(parsed) p
    where w.id = p.id;
  update payout o
    set state = p.payout_state, touched_at = _now
    from unnest(parsed) p
    where o.withdrawal_id = p.id and p.payout_state is not null;
  perform graphile_worker.add_job(
      'withdrawals.ask', json_build_object('id', p.id), job_key := 'withdrawals.ask:' || p.id)
    from unnest(parsed) p
    where p.payout_state is not null;
  perform statement_set(array_agg(p.id), p.status, _now) from unnest(parsed) p group by p.status;
  perform operator_write(array_agg(p.action), _now) from unnest(parsed) p;
  perform outbox_money(
      array_agg(p.member_id),
      array_agg(jsonb_build_object('kind', 'withdraw', 'id', p.id, 'status', p.status, 'minor', p.amount)),
      _now)
    from unnest(parsed) p;
end $$;

-- Notifies consoles of decided and undone withdrawals.
create or replace trigger console_changed
  after insert or delete on withdrawal_decision for each statement
  execute function console_changed('withdrawals');

-- Notifies consoles of changed withdrawals.
create or replace trigger console_changed
  after update on withdrawal for each statement
  execute function console_changed('withdrawals');

-- Ends the alert about a payout whose outcome is known.
create or replace trigger alert_cause_gone
  after update of status on withdrawal
  for each row when (old.status = 'PROCESSING' and new.status in ('SUCCESS', 'FAILED'))
  execute function alert_cause_gone('payout-unknown', 'withdrawal', 'id');

-- Ends the alert that the bank paid a withdrawal with a manual settlement request, unless it is booked otherwise.
create or replace function contradiction_cleared() returns trigger language plpgsql as $$
begin
  perform alert_end('payout-contradicts', new.subject, now())
    from withdrawal w
    where w.id = split_part(new.subject, ':', 2) and w.status = 'SUCCESS' and w.proof is null;
  return null;
end $$;

-- Ends the alert about a payout when the request that contradicted the bank is decided without effect.
create or replace trigger contradiction_cleared
  after update of state on approval
  for each row when (
    new.action = 'withdrawal.paid' and old.state = 'PENDING' and new.state in ('REFUSED', 'WITHDRAWN'))
  execute function contradiction_cleared();

-- Watches rejected payouts, in case the bank paid them after all.
create or replace trigger begin_watch
  before update on payout
  for each row when (new.state = 'REJECTED' and old.state <> 'REJECTED')
  execute function begin_watch();

insert into ledger_companion (name, guard_function, write_function) values
  ('withdrawal_end', 'guard_withdrawal_end', 'write_withdrawal_end'),
  ('operator_withdrawal', 'guard_operator_withdrawal', 'write_operator_withdrawal')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

-- Returns why a slip cannot be credited: SLIP_DECIDED, or SLIP_DUPLICATE when another slip was accepted for the same
-- transfer; null when it can.
create or replace function slip_refusal(_slip text) returns text language sql as $$
  select case
    when s.status in ('SUCCESS', 'FAILED') then 'SLIP_DECIDED'
    when exists (
      select 1
      from slip o
      where o.sending_bank = s.sending_bank and o.trans_ref = s.trans_ref and o.status = 'SUCCESS'
    ) then 'SLIP_DUPLICATE'
  end
  from slip s
  where s.id = _slip
$$;

-- Moves a slip to a status with a note. Does nothing when the slip is already decided.
create or replace function slip_decide(_slip text, _status text, _note text, _now timestamptz)
returns void language sql as $$
  update slip
  set status = _status, note = _note, ask_at = null, updated_at = _now
  where id = _slip and status in ('PENDING', 'REVIEW')
$$;

-- Ends the review of the slips that show a credited bank transaction, by its reference or by that of the slip
-- evidence matched to it: the first of the payee succeeds unless another slip was accepted for the transfer, and the
-- others fail as duplicates. All fail without a payee. No operator is named: who checked a slip before did not decide
-- this.
create or replace function slips_end(_bank_transaction bigint, _payee bigint, _now timestamptz)
returns void language sql as $$
  update slip
  set status = case when e.is_accepted then 'SUCCESS' else 'FAILED' end,
    note = case when not e.is_accepted then 'DUPLICATE_REFERENCE' end,
    ask_at = null, updated_at = _now,
    decided_by = null, decided_reason = null, decided_role = null, decided_address = null
  from (
    select r.id,
      slip_refusal(r.id) is null and coalesce(r.member_id = _payee, false)
        and row_number() over (partition by r.member_id order by r.created_at, r.id) = 1 as is_accepted
    from bank_transaction b
    cross join lateral (
      select b.bank_reference as reference
      union
      select t.bank_reference
      from transfer_evidence t
      where t.bank_transaction_id = b.id and t.source = 'SLIP' and t.bank_code = b.bank_code
    ) shown
    join slip r on r.trans_ref = shown.reference and r.bank_code = b.bank_code and r.status = 'REVIEW'
    where b.id = _bank_transaction
  ) e
  where slip.id = e.id and slip.status = 'REVIEW'
$$;

-- Ends the review of the slips of a deposit's bank transaction.
create or replace function deposit_slips() returns trigger language plpgsql as $$
begin
  perform slips_end(b.id, new.member_id, new.created_at)
    from bank_transaction b
    where b.bank_code = new.bank_code and b.bank_reference = new.bank_reference;
  return null;
end $$;

-- A transfer that is credited, in whichever way, leaves no slip of it under review.
create or replace trigger deposit_slips
  after insert on deposit for each row
  execute function deposit_slips();

-- Ends the assignment of a slip that leaves review, and writes the audit row of the operator's decision behind it, if
-- there was one.
create or replace function slip_audited() returns trigger language plpgsql as $$
begin
  if new.decided_by is not null then
    insert into audit (at, actor, role, action, subject, before, after, reason, address)
      values (
        new.updated_at, new.decided_by, new.decided_role, 'slip.' || lower(new.status), 'slip:' || new.id,
        jsonb_build_object('status', old.status),
        jsonb_build_object('status', new.status, 'note', new.note, 'amount', new.amount),
        new.decided_reason, new.decided_address);
  end if;
  delete from assignment where subject = 'slip:' || new.id;
  return null;
end $$;

-- Audits operators' decisions on slips under review.
create or replace trigger slip_audited
  after update of status on slip
  for each row when (old.status = 'REVIEW' and new.status <> old.status)
  execute function slip_audited();

-- Notifies the member of a slip that was refused, unless they were credited its transfer, and refreshes their open
-- pages. A slip has no row in the statement.
create or replace function slip_refused_notify() returns trigger language plpgsql as $$
begin
  if not exists (
      select
      from deposit d
      where d.bank_code = new.bank_code and d.bank_reference = new.trans_ref and d.member_id = new.member_id
        and d.reversal_id is null
    ) then
    perform notify_member(new.member_id, 'deposit', new.id, 'FAILED', null, null, new.updated_at);
  end if;
  perform member_changed(new.member_id, 'slip');
  return null;
end $$;

-- Notifies of a slip that is refused after the call that handed it in: a slip that was checked once, or reviewed.
create or replace trigger slip_refused
  after update of status on slip
  for each row when (
    new.status = 'FAILED' and (old.status = 'REVIEW' or (old.status = 'PENDING' and old.asked > 0)))
  execute function slip_refused_notify();

-- Opens the alert about a slip that enters review, with its mismatches.
create or replace function slip_alerted() returns trigger language plpgsql as $$
begin
  perform alert_open(
    'slip-review', 'slip:' || new.id,
    coalesce(nullif(array_to_string(new.doubts, ', '), ''), 'fits several transfers'), new.updated_at);
  return null;
end $$;

-- Opens an alert about a slip that needs review.
create or replace trigger slip_alerted
  after update of status on slip
  for each row when (old.status <> 'REVIEW' and new.status = 'REVIEW')
  execute function slip_alerted();

-- Ends the alert about a slip that is reviewed no more.
create or replace trigger alert_cause_gone
  after update of status on slip
  for each row when (old.status = 'REVIEW' and new.status <> 'REVIEW')
  execute function alert_cause_gone('slip-review', 'slip', 'id');

-- Notifies consoles of slips that enter or leave review.
create or replace trigger console_changed
  after update of status on slip
  for each row when (old.status is distinct from new.status and 'REVIEW' in (old.status, new.status))
  execute function console_changed('slips');

-- Alerts operators to a slip that needs review.
create or replace trigger console_arrived
  after update of status on slip
  for each row when (old.status <> 'REVIEW' and new.status = 'REVIEW')
  execute function console_arrived('slips');

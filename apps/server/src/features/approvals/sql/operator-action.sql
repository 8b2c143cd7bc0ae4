-- Returns APPROVAL_LAPSED when the approval that an operator's action needs is no longer pending; null when it is, or
-- when the action needs none. Locks the approval. To avoid deadlocks, endpoints and guards lock rows in the order
-- subject, approval, assignment.
create or replace function operator_refusal(_action operator_action_row) returns text language plpgsql as $$
begin
  if _action.approval_id is not null then
    perform 1
      from approval a
      where a.id = _action.approval_id and a.state = 'PENDING' and a.lapses_at > _action.at
      for update;
    if not found then return 'APPROVAL_LAPSED'; end if;
  end if;
  return null;
end $$;

-- Records operators' actions: writes the audit rows, marks the approvals they carry out as approved, and ends the
-- assignments of their subjects.
create or replace function operator_write(_actions operator_action_row[], _now timestamptz)
  returns void language plpgsql as $$
begin
  insert into audit (at, actor, role, action, subject, before, after, reason, address)
    select _now, a.actor, a.role, a.action, a.subject, a.before, a.after, a.reason, a.address
    from unnest(_actions) a;
  update approval p
    set state = 'APPROVED', checker_id = a.operator_id, checked_at = _now
    from unnest(_actions) a
    where p.id = a.approval_id;
  -- These subjects end with one action, so their other requests lapse.
  update approval p
    set state = 'LAPSED'
    from unnest(_actions) a
    where p.subject = a.subject and p.state = 'PENDING' and a.subject ~ '^(withdrawal|unmatched|transfer):';
  delete from assignment using unnest(_actions) a where assignment.subject = a.subject;
end $$;

-- Lets the pending approval requests about settled subjects lapse.
create or replace function operator_ended(_subjects text[]) returns void language sql as $$
  update approval set state = 'LAPSED' where subject = any(_subjects) and state = 'PENDING'
$$;

-- Lets the pending requests about a row lapse once its outcome is known; the argument is the kind of its subject.
create or replace function requests_lapse() returns trigger language plpgsql as $$
begin
  perform operator_ended(array[tg_argv[0] || ':' || new.id]);
  return null;
end $$;

-- Notifies consoles of a new approval request.
create or replace trigger console_arrived
  after insert on approval for each row
  execute function console_arrived('approvals');

-- Notifies consoles of a comment on a request.
create or replace trigger console_changed
  after insert on approval_comment for each statement
  execute function console_changed('approvals');

-- Notifies consoles of decided and lapsed approval requests.
create or replace trigger console_changed
  after update on approval for each statement
  execute function console_changed('approvals');

-- Lets a request that says that money has left stay until it is decided: it lapses neither by time nor with its
-- maker, because it holds back what would pay that money again; also where a server of the version before writes it.
create or replace function approval_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.lapses_at := '9999-12-31 00:00:00+00';
  elsif new.state = 'LAPSED' and new.lapsed_because = 'MAKER' then
    return old;
  end if;
  return new;
end $$;

-- Lets requests stay of which the money has left already.
create or replace trigger approval_stays
  before insert or update of state on approval
  for each row when (new.action in ('withdrawal.paid', 'unmatched.return'))
  execute function approval_stays();

-- Lets those stay too that were made before the trigger, whose creation has locked out those who make more.
update approval
  set lapses_at = '9999-12-31 00:00:00+00'
  where state = 'PENDING' and action in ('withdrawal.paid', 'unmatched.return')
    and lapses_at < '9999-12-31 00:00:00+00';

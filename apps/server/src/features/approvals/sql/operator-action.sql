-- Why an act may not happen now, or null. Rows are locked in the order thing, approval, claim, here and in the calls.
create or replace function desk_refusal(_act desk_act_row) returns text language plpgsql as $$
begin
  if _act.approval_id is not null then
    perform 1 from approval a where a.id = _act.approval_id and a.state = 'PENDING' and a.lapses_at > _act.at for update;
    if not found then return 'APPROVAL_LAPSED'; end if;
  end if;
  return null;
end $$;

create or replace function desk_write(_acts desk_act_row[], _now timestamptz) returns void language plpgsql as $$
begin
  insert into audit (at, actor, role, action, thing, before, after, reason, address)
    select _now, a.actor, a.role, a.action, a.thing, a.before, a.after, a.reason, a.address from unnest(_acts) a;
  update approval p set state = 'APPROVED', checker_id = a.operator_id, checked_at = _now
    from unnest(_acts) a where p.id = a.approval_id;
  -- Other requests about a thing that has come to its end ask for nothing any more.
  update approval p set state = 'LAPSED' from unnest(_acts) a
    where p.thing = a.thing and p.state = 'PENDING' and a.thing ~ '^(withdrawal|unmatched|transfer):';
  delete from claim c using unnest(_acts) a where c.thing = a.thing;
end $$;

-- Requests about a thing that has come to its end ask for nothing any more.
create or replace function desk_ended(_things text[]) returns void language sql as $$
  update approval set state = 'LAPSED' where thing = any(_things) and state = 'PENDING'
$$;

create or replace trigger desk_arrived
  after insert on approval for each row
  execute function desk_arrived('approvals');
create or replace trigger desk_changed
  after update on approval for each statement
  execute function desk_changed('approvals');

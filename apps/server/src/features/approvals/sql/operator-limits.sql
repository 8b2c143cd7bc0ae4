-- Returns OPERATOR_LIMIT when an operator may not pay or credit this much manually, at once or with what they have
-- moved within 24 hours before, by their role or by themselves; otherwise records it and returns null. A repeat under
-- the same reference counts once, with its own amount and time. Waits for the operator's other actions until their
-- transactions end.
create or replace function operator_limit_refusal(
  _operator bigint, _kind text, _currency text, _amount bigint, _reference text, _at timestamptz)
returns text language plpgsql as $$
declare
  action_least bigint;
  day_least bigint;
  moved bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('limit of operator ' || _operator, 0));
  select min(l.action_max), min(l.day_max)
    into action_least, day_least
    from operator o
    join operator_limit l on l.subject in ('operator:' || o.name, 'role:' || o.role)
    where o.id = _operator and l.kind = _kind and l.currency = _currency;
  select coalesce(sum(u.amount), 0)
    into moved
    from operator_use u
    where u.operator_id = _operator and u.kind = _kind and u.currency = _currency
      and u.at > _at - interval '24 hours' and u.reference <> _reference;
  if _amount > action_least or moved + _amount > day_least then return 'OPERATOR_LIMIT'; end if;
  insert into operator_use (operator_id, kind, reference, currency, amount, at)
    values (_operator, _kind, _reference, _currency, _amount, _at)
    on conflict (operator_id, kind, reference) do update set amount = excluded.amount, at = excluded.at;
  return null;
end $$;

-- The same for an action on a member's money, in the member's currency.
create or replace function operator_limit_refusal(
  _action operator_action_row, _kind text, _member bigint, _amount bigint, _reference text)
returns text language sql as $$
  select operator_limit_refusal(_action.operator_id, _kind, m.currency, _amount, _reference, _action.at)
  from member m
  where m.id = _member
$$;

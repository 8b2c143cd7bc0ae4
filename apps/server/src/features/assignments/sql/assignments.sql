-- Returns NOT_CLAIMED when an operator's action requires a current assignment of its subject to the operator and
-- there is none; else null. Locks the assignment.
create or replace function operator_unassigned(_action operator_action_row) returns text language plpgsql as $$
begin
  if _action.assigned_after is not null then
    perform 1
      from assignment a
      where a.subject = _action.subject and a.operator_id = _action.operator_id
        and a.touched_at > _action.assigned_after
      for update;
    if not found then return 'NOT_CLAIMED'; end if;
  end if;
  return null;
end $$;

-- Notifies consoles of changed assignments.
create or replace trigger console_changed
  after insert or update or delete on assignment for each statement
  execute function console_changed('assignments');

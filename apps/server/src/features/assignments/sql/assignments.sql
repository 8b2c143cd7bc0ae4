-- Returns NOT_CLAIMED when an operator's action requires a current assignment of its subject to the operator and
-- there is none; else null. Locks the assignment.
create or replace function desk_unassigned(_act desk_act_row) returns text language plpgsql as $$
begin
  if _act.assigned_after is not null then
    perform 1
      from assignment a
      where a.subject = _act.subject and a.operator_id = _act.operator_id and a.touched_at > _act.assigned_after
      for update;
    if not found then return 'NOT_CLAIMED'; end if;
  end if;
  return null;
end $$;

-- Notifies consoles of changed assignments.
create or replace trigger desk_changed
  after insert or update or delete on assignment for each statement
  execute function desk_changed('assignments');

-- Slips are decided in the console: the audit row says in which role and from where, and roles may see or decide them.

alter table slip add column decided_role text;
alter table slip add column decided_address text;

create or replace function slip_audited() returns trigger language plpgsql as $$
begin
  insert into audit (at, actor, role, action, thing, before, after, reason, address)
    values (new.updated_at, new.decided_by, new.decided_role, 'slip.' || lower(new.status), 'slip:' || new.id,
      jsonb_build_object('status', old.status), jsonb_build_object('status', new.status, 'note', new.note, 'amount', new.amount), new.decided_reason,
      new.decided_address);
  delete from claim where thing = 'slip:' || new.id;
  return null;
end $$;

create trigger desk_changed after update of status on slip for each row
  when (old.status is distinct from new.status and 'REVIEW' in (old.status, new.status)) execute function desk_changed('slips');
create trigger desk_arrived after update of status on slip for each row
  when (old.status <> 'REVIEW' and new.status = 'REVIEW') execute function desk_arrived('slips');

update operator_role set permissions = array_append(permissions, 'slip.read')
  where code in ('support', 'finance', 'finance-lead', 'risk', 'auditor') and not 'slip.read' = any(permissions);
update operator_role set permissions = array_append(permissions, 'slip.decide')
  where code in ('finance', 'finance-lead') and not 'slip.decide' = any(permissions);

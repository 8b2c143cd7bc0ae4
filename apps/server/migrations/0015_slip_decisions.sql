-- Operators decide slips that are neither surely right nor surely wrong; the audit row commits with the decision.

alter table slip add column decided_by text;
alter table slip add column decided_reason text;

create function slip_audited() returns trigger language plpgsql as $$
begin
  insert into audit (at, actor, action, thing, before, after, reason)
    values (new.updated_at, new.decided_by, 'slip.' || lower(new.status), 'slip:' || new.id,
      jsonb_build_object('status', old.status), jsonb_build_object('status', new.status, 'note', new.note, 'amount', new.amount), new.decided_reason);
  return null;
end $$;
create trigger slip_audited after update of status on slip for each row
  when (old.status = 'REVIEW' and new.status <> old.status and new.decided_by is not null) execute function slip_audited();

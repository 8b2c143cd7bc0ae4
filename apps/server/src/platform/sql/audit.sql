-- Rejects every change of existing audit rows: the audit trail is append-only.
create or replace function audit_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are never changed' using errcode = 'restrict_violation';
end $$;

-- Keeps the audit trail append-only, whichever role writes.
create or replace trigger audit_append_only
  before update or delete or truncate on audit for each statement
  execute function audit_append_only();

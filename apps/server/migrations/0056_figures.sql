-- Reports over days: who may read them, and block ranges that find a day's entries and acts; they cost nothing to keep.
update operator_role set permissions = permissions || '{figures.read}'::text[], updated_at = now()
  where code in ('finance', 'finance-lead', 'admin', 'auditor') and not 'figures.read' = any(permissions);

create index ledger_entry_at on ledger_entry using brin (created_at);
create index audit_at on audit using brin (at);

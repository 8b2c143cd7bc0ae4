-- Settings are changed in the console.
update operator_role set permissions = permissions || '{setting.read,setting.manage}'::text[], updated_at = now()
  where code = 'admin' and not 'setting.read' = any(permissions);
update operator_role set permissions = permissions || '{setting.read}'::text[], updated_at = now()
  where code = 'auditor' and not 'setting.read' = any(permissions);

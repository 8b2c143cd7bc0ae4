-- Marketing sets invites and refunds: it sees the settings, and changes those of promotions.
update operator_role set permissions = permissions || '{setting.read}'::text[], updated_at = now()
  where code = 'marketing' and not 'setting.read' = any(permissions);

-- Marketing runs bonuses, codes, wheels and coupons from the console; every version of a bonus is kept, whoever wrote it.
update operator_role set permissions = permissions || '{promotion.read}'::text[], updated_at = now()
  where code in ('marketing', 'finance', 'finance-lead', 'risk', 'admin', 'auditor') and not 'promotion.read' = any(permissions);
update operator_role set permissions = permissions || '{promotion.manage}'::text[], updated_at = now()
  where code = 'marketing' and not 'promotion.manage' = any(permissions);
-- To see what became of what they asked for.
update operator_role set permissions = permissions || '{approval.read}'::text[], updated_at = now()
  where code = 'marketing' and not 'approval.read' = any(permissions);

-- Operators close an alert when they have seen to it.
update operator_role set permissions = array_append(permissions, 'alert.close')
  where code in ('finance', 'finance-lead', 'risk', 'admin') and not 'alert.close' = any(permissions);

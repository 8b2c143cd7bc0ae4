-- Accounts members pay into are changed in the console.
-- Paused: not shown to members, yet watched, so that late money is still credited. Closed (is_open false): not watched.
alter table deposit_account add column is_paused boolean not null default false;
-- Minor units a day in Asia/Bangkok; once so much has come the account is no longer shown that day.
alter table deposit_account add column daily_ceiling bigint check (daily_ceiling > 0);
alter table deposit_account add column version integer not null default 1;

-- What came into an account today.
create function arrived_today(_bank text, _account text, _now timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(l.amount), 0)::bigint from bank_line l
  where l.bank_code = _bank and coalesce(l.account_no, '') = _account and l.state <> 'RETURNED'
    and l.paid_at >= date_trunc('day', _now at time zone 'Asia/Bangkok') at time zone 'Asia/Bangkok'
$$;

update operator_role set permissions = permissions || '{channel.read,channel.manage}'::text[], updated_at = now()
  where code = 'finance-lead' and not 'channel.read' = any(permissions);
update operator_role set permissions = permissions || '{channel.read}'::text[], updated_at = now()
  where code in ('finance', 'admin', 'auditor') and not 'channel.read' = any(permissions);

-- Rejects a payment report with REQUEST_LIMIT while another of the member is pending.
create or replace function guard_payment_report(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (
      select 1 from payment_report p where p.member_id = (r.row).member_id and p.status = 'PENDING'
    ) then 'REQUEST_LIMIT' end order by r.position)
  from (
    select u.text::payment_report_row as row, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
$$;

-- Writes the payment reports and their statement rows.
create or replace function write_payment_report(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed payment_report_row[];
begin
  select array_agg(u.row::payment_report_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  insert into payment_report (id, member_id, amount, status, created_at, updated_at)
    select p.id, p.member_id, p.amount, 'PENDING', _now, _now
    from unnest(parsed) p;
  perform statement_add(
      array_agg((p.member_id, p.id, 'deposit', 'PENDING', 'manual', 'wallet', p.amount)::statement_row), _now)
    from unnest(parsed) p;
end $$;

-- Notifies consoles of new and decided payment reports.
create or replace trigger console_changed
  after insert or update on payment_report for each statement
  execute function console_changed('deposits');

-- Alerts operators to a new payment report.
create or replace trigger console_arrived
  after insert on payment_report
  for each row when (new.status = 'PENDING')
  execute function console_arrived('reports');

insert into ledger_companion (name, guard_function, write_function) values
  ('payment_report', 'guard_payment_report', 'write_payment_report')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;

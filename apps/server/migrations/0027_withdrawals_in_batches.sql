-- A batch of withdrawals tells the console once and looks the accounts up together; triggers did both row by row.

drop trigger withdrawal_held on withdrawal;
drop function withdrawal_held();
drop trigger desk_arrived on withdrawal;

create function desk_waits() returns trigger language plpgsql as $$
begin
  if exists (select from added where status = 'REVIEW') then perform pg_notify('desk', tg_argv[0] || ' new'); end if;
  return null;
end $$;
create trigger desk_arrived after insert on withdrawal referencing new table as added
  for each statement execute function desk_waits('withdrawals');

-- As before, and a withdrawal to an account that rests is held until it does not.
create or replace function write_withdrawal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed withdrawal_row[]; queued boolean;
begin
  select array_agg(r::withdrawal_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  with decided as (
    select p.*, p.amount <= p.automatic_max and p.amount + coalesce((
        select sum(w.amount) from withdrawal w where w.member_id = p.member_id and w.automatic and w.status <> 'FAILED'
          and w.created_at > _now - interval '24 hours'), 0) <= p.automatic_day_max as automatic
    from unnest(parsed) p
  ), added as (
    insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until)
    select d.id, d.member_id, d.bank_account_id, d.amount, case when d.automatic then 'QUEUED' else 'REVIEW' end, d.automatic, _now, _now,
      (select a.cool_until from bank_account a where a.id = d.bank_account_id and a.cool_until > _now)
    from decided d returning automatic
  )
  select bool_or(automatic) into queued from added;
  perform statement_add(array_agg((p.member_id, p.id, 'withdraw', 'PENDING', 'wallet', p.bank_code, p.amount)::statement_row), _now) from unnest(parsed) p;
  if queued then perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay'); end if;
end $$;
